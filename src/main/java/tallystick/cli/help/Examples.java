package tallystick.cli.help;

import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What stands under the help of each command: lines that can be typed as they are. */
public final class Examples {
  private static final String HEADING = "%nExamples:%n";

  private static final Map<String, List<String>> OF_COMMANDS =
      Map.ofEntries(
          of(
              "tally",
              "run scenarios/quickstart.yaml",
              "run scenarios/steady-chat.yaml --target http://127.0.0.1:8000",
              "report reports/sample"),
          of(
              "tally run",
              "scenarios/quickstart.yaml",
              "scenarios/steady-chat.yaml --target http://127.0.0.1:8000",
              "scenarios/kv-pressure.yaml --set workload.concurrency=64"),
          of("tally report", "reports/RUN", "reports/RUN --baseline reports/HEALTHY --verbose"),
          of("tally init", "chat > my.yaml", "schema > scenario.schema.json"),
          of("tally plan", "scenarios/steady-chat.yaml --rows 3"),
          of("tally engine", "--port 8000", "--port 8000 --num-gpu-blocks-override 140"),
          of(
              "tally simulate",
              "scenarios/slo-steps.yaml --seed 2",
              "scenarios/kv-pressure.yaml --fault stall:at=20s,for=2s"),
          of(
              "tally capacity",
              "scenarios/steady-chat.yaml --rehearse --budget 30m",
              "scenarios/steady-chat.yaml --rehearse --peak 500 --price 2.5",
              "scenarios/steady-chat.yaml --target http://127.0.0.1:8000"),
          of(
              "tally alerts",
              "reports/slo-steps-* --slo scenarios/slo/chat.yaml",
              "reports/RUN --runbook-url https://wiki.example.com/vllm"),
          of("tally merge", "shards --out reports/RUN"),
          of("tally export", "reports/RUN --format csv", "reports/RUN --format openmetrics"),
          of(
              "tally launch",
              "slurm scenarios/steady-chat.yaml --target http://10.0.0.7:8000 --shards 4"),
          of("tally launch llm-d", "scenarios/steady-chat.yaml --out harness"),
          of(
              "tally launch slurm",
              "scenarios/steady-chat.yaml --target http://10.0.0.7:8000 --shards 4",
              "scenarios/steady-chat.yaml --target http://10.0.0.7:8000 --shards 4 --submit"),
          of(
              "tally launch kubernetes",
              "scenarios/steady-chat.yaml --target http://vllm:8000 --shards 4"
                  + " --image registry.example.com/tally:1 --claim results"),
          of(
              "tally backtest",
              "my-rules.yaml reports/slo-steps-*",
              "my-rules.yaml reports/RUN --slo slo.yaml --verbose",
              "my-rules.yaml reports/RUN --evaluation-interval 1m"),
          of(
              "tally compare",
              "reports/HEALTHY reports/RUN --markdown compare.md",
              "reports/A1 reports/A2 -- reports/B1 reports/B2",
              "baseline.json -- reports/B1 reports/B2 reports/B3"),
          of(
              "tally doctor",
              "--target http://127.0.0.1:8000",
              "--target http://127.0.0.1:8000 --objective ttft=300ms --objective itl=0.1s",
              "--target http://10.0.0.7:8000 --metrics-url http://10.0.0.7:8081/metrics"),
          of(
              "tally fit",
              "reports/RUN1 reports/RUN2 --out engine.properties",
              "reports/RUN1 reports/RUN2 --check reports/RUN3 --max-num-seqs 32",
              "reports/RUN1 --out engine.properties --max-num-batched-tokens 8192"),
          of(
              "tally history",
              "reports",
              "nightly --metric tpot_mean --metric e2e_p95 --verbose",
              "nightly --html history.html"),
          of(
              "tally lint",
              "rules.yaml",
              "rules.yaml --target http://127.0.0.1:8000",
              "rules.yaml --format sarif > lint.sarif",
              "dashboard.json --fix"),
          of("tally open", "", "reports/RUN", "alerts --print"),
          of(
              "tally snapshot",
              "http://127.0.0.1:8000",
              "http://127.0.0.1:8000 --warn 'kv_cache_usage>0.95'",
              "http://127.0.0.1:8000 --watch --every 5s --json"),
          of(
              "tally regress",
              "my.yaml --base http://a:8000 --candidate http://b:8000",
              "my.yaml --rehearse --candidate-engine max-num-seqs=8",
              "my.yaml --serve 'sh engine.sh {port} {max_num_seqs}'"
                  + " --base-engine max-num-seqs=64 --candidate-engine max-num-seqs=8"),
          of(
              "tally tune",
              "scenarios/tune-short.yaml --rehearse",
              "scenarios/tune-short.yaml --rehearse --vary max_num_seqs=8,16,64"),
          of(
              "tally watch",
              "alerts/rules.yaml --prometheus http://127.0.0.1:9090 --range 7d",
              "alerts/rules.yaml --prometheus http://127.0.0.1:9090 --share 0.99 --sli"
                  + " 'sum(rate(gateway_slow_total[5m])) / sum(rate(gateway_requests_total[5m]))'",
              "alerts/rules.yaml --prometheus http://127.0.0.1:9090 --html watch.html"),
          of("tally verify", "reports/RUN", "reports/*-shard-*"),
          of("tally help", "run"));

  private Examples() {}

  private static Map.Entry<String, List<String>> of(String command, String... examples) {
    return Map.entry(command, List.of(examples));
  }

  /** Adds the examples to a command, and to those below it, that have none of their own. */
  public static CommandLine in(CommandLine line) {
    UsageMessageSpec usage = line.getCommandSpec().usageMessage();
    String name = line.getCommandSpec().qualifiedName();
    List<String> examples = OF_COMMANDS.getOrDefault(name, List.of());
    if (usage.footer().length == 0 && !examples.isEmpty()) {
      usage.footerHeading(HEADING);
      usage.footer(
          examples.stream()
              .map(example -> ("  ./" + name + " " + example).stripTrailing())
              .toArray(String[]::new));
    }
    line.getSubcommands().values().forEach(Examples::in);
    return line;
  }
}
