// Does the calls that come as lines of JSON with a generated client; each answer is a line of JSON.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"

	"github.com/antihax/optional"
	openapi "tandem/served"
)

type call struct {
	Name  string
	Path  map[string]interface{}
	Query map[string]interface{}
	Body  interface{}
}

// decode makes a value of the type that a parameter has.
func decode(value interface{}, to reflect.Type) reflect.Value {
	made := reflect.New(to)
	text, _ := json.Marshal(value)
	if err := json.Unmarshal(text, made.Interface()); err != nil {
		panic(err)
	}
	return made.Elem()
}

func toOptional(value interface{}, to reflect.Type) reflect.Value {
	switch to {
	case reflect.TypeOf(optional.String{}):
		return reflect.ValueOf(optional.NewString(value.(string)))
	case reflect.TypeOf(optional.Int32{}):
		return reflect.ValueOf(optional.NewInt32(int32(value.(float64))))
	default:
		return reflect.ValueOf(optional.NewInterface(value))
	}
}

func optionsOf(given call, pointer reflect.Type) reflect.Value {
	options := reflect.New(pointer.Elem())
	for name, value := range given.Query {
		field := options.Elem().FieldByName(strings.ToUpper(name[:1]) + name[1:])
		field.Set(toOptional(value, field.Type()))
	}
	if body := options.Elem().FieldByName("Body"); given.Body != nil && body.IsValid() {
		body.Set(toOptional(given.Body, body.Type()))
	}
	return options
}

// argumentsOf fills the parameters of a method: keys of the path, the body, then what is optional.
func argumentsOf(given call, method reflect.Type) []reflect.Value {
	values := []interface{}{}
	for _, name := range []string{"collection", "id", "field"} {
		if value, isGiven := given.Path[name]; isGiven {
			values = append(values, fmt.Sprint(value))
		}
	}
	if given.Body != nil {
		values = append(values, given.Body)
	}
	arguments := []reflect.Value{reflect.ValueOf(context.Background())}
	for at := 1; at < method.NumIn(); at++ {
		if kind := method.In(at); kind.Kind() == reflect.Ptr && strings.HasSuffix(kind.Elem().Name(), "Opts") {
			arguments = append(arguments, optionsOf(given, kind))
		} else {
			arguments = append(arguments, decode(values[at-1], kind))
		}
	}
	return arguments
}

// findMethod looks for an operation in the services of all tags.
func findMethod(client *openapi.APIClient, name string) reflect.Value {
	services := reflect.ValueOf(client).Elem()
	for at := 0; at < services.NumField(); at++ {
		if !services.Type().Field(at).IsExported() {
			continue
		}
		if method := services.Field(at).MethodByName(strings.ToUpper(name[:1]) + name[1:]); method.IsValid() {
			return method
		}
	}
	panic("no " + name)
}

func main() {
	configuration := openapi.NewConfiguration()
	configuration.BasePath = os.Args[1]
	configuration.AddDefaultHeader("Authorization", "Bearer "+os.Args[2])
	client := openapi.NewAPIClient(configuration)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var given call
		if err := json.Unmarshal(lines.Bytes(), &given); err != nil {
			panic(err)
		}
		method := findMethod(client, given.Name)
		results := method.Call(argumentsOf(given, method.Type()))
		response := results[len(results)-2].Interface().(*http.Response)
		var data interface{}
		if err := results[len(results)-1].Interface(); err != nil {
			data = fmt.Sprint(err)
		} else if len(results) == 3 {
			data = results[0].Interface()
		}
		answer, _ := json.Marshal(map[string]interface{}{"status": response.StatusCode, "data": data})
		fmt.Println(string(answer))
	}
}
