// Collects every exposition in the test data and the test sources of Prometheus' Go parsers, and says what those
// parsers make of each: main OUT FOLDER_OF_COMMON FOLDER_OF_PROMETHEUS.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
)

// A Case is one exposition with what a reference parser says: samples, or that it refuses it.
type Case struct {
	Name    string     `json:"name"`
	Format  string     `json:"format"`
	Body    []byte     `json:"body"`
	Refused string     `json:"refused"`
	Samples [][]string `json:"samples"`
}

func main() {
	model.NameValidationScheme = model.UTF8Validation
	bodies := map[string][]byte{}
	common, prometheus := os.Args[2], os.Args[3]
	for _, folder := range []string{common + "/expfmt/fuzz/corpus", common + "/expfmt/testdata",
		prometheus + "/model/textparse/testdata"} {
		files, _ := filepath.Glob(folder + "/*")
		for _, file := range files {
			if body, err := os.ReadFile(file); err == nil && !bytes.ContainsRune(body[:min(len(body), 512)], 0) &&
				!strings.Contains(file, "json") && !strings.HasSuffix(file, ".gz") && !strings.Contains(file, "protobuf") {
				bodies[filepath.Base(file)] = body
			}
		}
	}
	for _, file := range []string{common + "/expfmt/text_parse_test.go",
		prometheus + "/model/textparse/promparse_test.go", prometheus + "/model/textparse/openmetricsparse_test.go"} {
		literals(file, bodies)
	}
	out, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	defer out.Close()
	lines := json.NewEncoder(out)
	for name, body := range bodies {
		openMetrics := strings.Contains(name, "openmetrics") || strings.Contains(name, ".om.")
		if openMetrics {
			lines.Encode(reference(name, "application/openmetrics-text; version=1.0.0", "textparse", body))
		} else {
			lines.Encode(expfmtSays(name, body))
			lines.Encode(reference(name, "text/plain; version=0.0.4", "textparse", body))
		}
	}
	fmt.Println(len(bodies), "expositions from the Go parsers' tests")
}

// literals takes the string literals of a test file that look like an exposition: a space and a line's end.
func literals(file string, bodies map[string][]byte) {
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		panic(err)
	}
	n := 0
	ast.Inspect(tree, func(node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil &&
				strings.Contains(text, " ") && strings.Contains(text, "\n") {
				bodies[fmt.Sprintf("%s:%d", filepath.Base(file), n)] = []byte(text)
			}
			n++
		}
		return true
	})
}

func expfmtSays(name string, body []byte) Case {
	one := Case{Name: "expfmt " + name, Format: "text/plain; version=0.0.4", Body: body}
	var parser expfmt.TextParser
	if _, err := parser.TextToMetricFamilies(bytes.NewReader(body)); err != nil {
		one.Refused = err.Error()
		return one
	}
	// expfmt gives families; the samples come from the other parser of the same project.
	samples, err := samples(body, one.Format)
	if err != nil {
		one.Refused = "textparse: " + err.Error()
	}
	one.Samples = samples
	return one
}

func reference(name, format, parser string, body []byte) Case {
	one := Case{Name: parser + " " + name, Format: format, Body: body}
	samples, err := samples(body, format)
	if err != nil {
		one.Refused = err.Error()
		return one
	}
	one.Samples = samples
	return one
}

func samples(body []byte, format string) (result [][]string, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	parser, err := textparse.New(body, format, "", false, true, false, labels.NewSymbolTable())
	if err != nil {
		return nil, err
	}
	result = [][]string{}
	for {
		entry, err := parser.Next()
		if err == io.EOF {
			return result, nil
		}
		if err != nil {
			return nil, err
		}
		if entry == textparse.EntrySeries {
			_, _, value := parser.Series()
			var set labels.Labels
			parser.Labels(&set)
			row := []string{strconv.FormatFloat(value, 'g', -1, 64)}
			set.Range(func(label labels.Label) { row = append(row, label.Name, label.Value) })
			result = append(result, row)
		}
	}
}
