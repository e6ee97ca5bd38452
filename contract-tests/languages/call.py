"""Does the calls that come as lines of JSON with a generated client; each answer is a line of JSON."""

import inspect
import json
import sys

import openapi_client

address, token = sys.argv[1:]
configuration = openapi_client.Configuration(host=address)
configuration.client_side_validation = False
client = openapi_client.ApiClient(configuration)
client.set_default_header("Authorization", "Bearer " + token)
apis = [api(client) for name, api in inspect.getmembers(openapi_client, inspect.isclass) if name.endswith("Api")]


def to_snake(name):
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name)


def call(name, path, query, body):
    method = next(getattr(api, name) for api in apis if hasattr(api, name))
    required = [name for name, each in inspect.signature(method).parameters.items() if each.kind != each.VAR_KEYWORD]
    bodies = {name: body for name in required if name not in path}
    try:
        data, status, _headers = method(**path, **query, **bodies)
        return {"status": status, "data": client.sanitize_for_serialization(data)}
    except openapi_client.ApiException as refusal:
        return {"status": refusal.status, "data": refusal.body}


for line in sys.stdin:
    given = json.loads(line)
    name = to_snake(given["name"]) + "_with_http_info"
    print(json.dumps(call(name, given.get("path", {}), given.get("query", {}), given.get("body"))), flush=True)
