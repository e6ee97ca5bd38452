#!/usr/bin/env bash
# Builds the image, starts it with compose.yaml until it is healthy, asks for an answer, and removes everything.
set -eu
cd "$(dirname "$0")/.."
random() { node -p 'require("crypto").randomBytes(24).toString("hex")'; }
SECRET=$(random) ADMIN_PASSWORD=$(random) POSTGRES_PASSWORD=$(random)
export SECRET ADMIN_PASSWORD POSTGRES_PASSWORD
compose() { docker compose --project-name "tandem-ci-$$" "$@"; }
trap 'compose logs --tail 50; compose down --volumes --rmi local' EXIT
compose up --build --wait --wait-timeout 300
node -e '
  fetch("http://127.0.0.1:8055/server/ping").then((answer) => answer.text()).then((text) => {
    if (text !== "pong") throw new Error(`Expected pong but received ${text}`)
  })'
