package recorder

import (
	testmendjson "encoding/json"
	testmendos "os"
	testmendreflect "reflect"
	testmendsort "sort"
	testmendstrconv "strconv"
	testmendtesting "testing"
	testmendutf8 "unicode/utf8"
)

type testmendTold = map[string]interface{}

// Written into a copy of the package while values are recorded; gone afterwards.
func testmendSaw(file string, line int, at int, row, key interface{}, t *testmendtesting.T, actual, expected interface{}) {
	name := testmendos.Getenv("TESTMEND_CAPTURE")
	if name == "" {
		return
	}
	text, err := testmendjson.Marshal(testmendTold{
		"kind":     "go",
		"testName": t.Name(),
		"matcher":  "!=",
		"negated":  false,
		"actual":   testmendWhole(actual),
		"expected": testmendWhole(expected),
		"message":  "",
		"stack":    "    at " + file + ":" + testmendstrconv.Itoa(line) + ":1",
		"file":     file,
		"go": testmendTold{
			"at":    at,
			"row":   testmendWhole(row),
			"key":   testmendWhole(key),
			"types": []string{testmendType(actual), testmendType(expected)},
		},
	})
	if err != nil {
		return
	}
	output, err := testmendos.OpenFile(name, testmendos.O_APPEND|testmendos.O_CREATE|testmendos.O_WRONLY, 0600)
	if err != nil {
		return
	}
	output.Write(append(text, '\n'))
	output.Close()
}

// Stands around the arguments of assert.Equal and hands on what that compares; where the test is to go on, what is equal.
func testmendCompared(file string, line int, at int, row, key interface{}, actualFirst, goesOn bool, t *testmendtesting.T, a, b interface{}, _ ...interface{}) (*testmendtesting.T, interface{}, interface{}) {
	actual, expected := b, a
	if actualFirst {
		actual, expected = a, b
	}
	if !testmendreflect.DeepEqual(a, b) {
		testmendSaw(file, line, at, row, key, t, actual, expected)
		if goesOn {
			t.Fail()
			return t, a, a
		}
	}
	return t, a, b
}

func testmendType(value interface{}) string {
	if value == nil {
		return "nil"
	}
	return testmendreflect.TypeOf(value).String()
}

func testmendOpaque(what string) testmendTold {
	return testmendTold{"kind": "opaque", "description": what}
}

func testmendWhole(value interface{}) (told testmendTold) {
	defer func() {
		if recover() != nil {
			told = testmendOpaque("a value that cannot be looked at")
		}
	}()
	left := 5000
	return testmendValue(testmendreflect.ValueOf(value), &left, 0)
}

func testmendValue(value testmendreflect.Value, left *int, depth int) testmendTold {
	if *left--; *left < 0 || depth > 16 {
		return testmendOpaque("what is too large")
	}
	null := testmendTold{"kind": "null"}
	if !value.IsValid() {
		return null
	}
	kind := value.Kind()
	switch kind {
	case testmendreflect.Ptr, testmendreflect.Interface, testmendreflect.Slice, testmendreflect.Map, testmendreflect.Func, testmendreflect.Chan:
		if value.IsNil() {
			return null
		}
	}
	typeName := value.Type().String()
	if value.CanInterface() {
		if err, is := value.Interface().(error); is {
			return testmendTold{"kind": "error", "name": typeName, "message": err.Error()}
		}
	}
	items := func() []testmendTold {
		all := []testmendTold{}
		for i := 0; i < value.Len() && *left > 0; i++ {
			all = append(all, testmendValue(value.Index(i), left, depth+1))
		}
		return all
	}
	number := func(text string) testmendTold { return testmendTold{"kind": "number", "text": text} }
	switch kind {
	case testmendreflect.Bool:
		return testmendTold{"kind": "boolean", "value": value.Bool()}
	case testmendreflect.Int, testmendreflect.Int8, testmendreflect.Int16, testmendreflect.Int32, testmendreflect.Int64:
		return number(testmendstrconv.FormatInt(value.Int(), 10))
	case testmendreflect.Uint, testmendreflect.Uint8, testmendreflect.Uint16, testmendreflect.Uint32, testmendreflect.Uint64:
		return number(testmendstrconv.FormatUint(value.Uint(), 10))
	case testmendreflect.Float32, testmendreflect.Float64:
		text := testmendstrconv.FormatFloat(value.Float(), 'g', -1, value.Type().Bits())
		switch text {
		case "+Inf":
			text = "Infinity"
		case "-Inf":
			text = "-Infinity"
		}
		return number(text)
	case testmendreflect.String:
		if !testmendutf8.ValidString(value.String()) {
			return testmendOpaque("a text that is no UTF-8")
		}
		return testmendTold{"kind": "string", "value": value.String()}
	case testmendreflect.Array, testmendreflect.Slice:
		return testmendTold{"kind": "array", "items": items()}
	case testmendreflect.Map:
		keys := value.MapKeys()
		pairs := [][2]testmendTold{}
		for _, key := range keys {
			pairs = append(pairs, [2]testmendTold{testmendValue(key, left, depth+1), testmendValue(value.MapIndex(key), left, depth+1)})
		}
		sortedBy := func(i int) string { text, _ := testmendjson.Marshal(pairs[i][0]); return string(text) }
		testmendsort.Slice(pairs, func(i, j int) bool { return sortedBy(i) < sortedBy(j) })
		return testmendTold{"kind": "map", "entries": pairs}
	case testmendreflect.Ptr:
		entries := [][2]interface{}{{"*", testmendValue(value.Elem(), left, depth+1)}}
		return testmendTold{"kind": "object", "className": typeName, "entries": entries}
	case testmendreflect.Interface:
		return testmendValue(value.Elem(), left, depth+1)
	case testmendreflect.Struct:
		if typeName == "time.Time" {
			return testmendOpaque("a time.Time")
		}
		entries := [][2]interface{}{}
		for i := 0; i < value.NumField(); i++ {
			entries = append(entries, [2]interface{}{value.Type().Field(i).Name, testmendValue(value.Field(i), left, depth+1)})
		}
		return testmendTold{"kind": "object", "className": typeName, "entries": entries}
	}
	return testmendOpaque("a " + typeName)
}
