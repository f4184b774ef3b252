package tallystick.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What stands under the help of each command: lines that can be typed as they are. */
final class Examples {
  static final String HEADING = "%nExamples:%n";

  private static final Map<String, List<String>> OF_COMMANDS =
      Map.of(
          "run",
          List.of(
              "scenarios/quickstart.yaml",
              "scenarios/steady-chat.yaml --target http://127.0.0.1:8000",
              "scenarios/kv-pressure.yaml --set workload.concurrency=64"),
          "report",
          List.of("reports/RUN", "reports/RUN --baseline reports/HEALTHY --verbose"),
          "plan",
          List.of("scenarios/steady-chat.yaml --rows 3"),
          "engine",
          List.of("--port 8000", "--port 8000 --num-gpu-blocks-override 140"),
          "simulate",
          List.of(
              "scenarios/slo-steps.yaml --seed 2",
              "scenarios/kv-pressure.yaml --fault stall:at=20s,for=2s"),
          "capacity",
          List.of(
              "scenarios/steady-chat.yaml --rehearse --budget 30m",
              "scenarios/steady-chat.yaml --rehearse --peak 500 --price 2.5",
              "scenarios/steady-chat.yaml --target http://127.0.0.1:8000 --budget 1h30m"),
          "alerts",
          List.of(
              "reports/slo-steps-* --slo scenarios/slo/chat.yaml",
              "reports/RUN --runbook-url https://wiki.example.com/vllm"),
          "merge",
          List.of("shards --out reports/RUN"),
          "export",
          List.of("reports/RUN --format csv", "reports/RUN --format openmetrics"));

  private Examples() {}

  /** Adds the examples to every command that has none of its own. */
  static CommandLine in(CommandLine line) {
    line.getSubcommands()
        .forEach(
            (name, command) -> {
              UsageMessageSpec usage = command.getCommandSpec().usageMessage();
              List<String> examples = OF_COMMANDS.getOrDefault(name, List.of());
              if (usage.footer().length == 0 && !examples.isEmpty()) {
                usage.footerHeading(HEADING);
                usage.footer(
                    examples.stream()
                        .map(example -> "  ./tally " + name + " " + example)
                        .toArray(String[]::new));
              }
            });
    return line;
  }
}
