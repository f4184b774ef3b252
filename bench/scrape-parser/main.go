// Times Prometheus' own Go parser, expfmt, on the exposition that parse.py wrote.
package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/prometheus/common/expfmt"
)

func main() {
	body, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	seconds, _ := strconv.ParseFloat(os.Args[2], 64)
	best, families := time.Duration(1<<62), 0
	end := time.Now().Add(time.Duration(seconds * 1e9))
	for time.Now().Before(end) {
		start := time.Now()
		var parser expfmt.TextParser
		parsed, err := parser.TextToMetricFamilies(bytes.NewReader(body))
		if err != nil {
			panic(err)
		}
		families = len(parsed)
		if took := time.Since(start); took < best {
			best = took
		}
	}
	fmt.Printf("go expfmt                           %7.1f MB/s   (%d families)\n",
		float64(len(body))/1e6/best.Seconds(), families)
}
