package tallystick.cli;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands say under NEXT; what experiments say is held where their screens are made. */
class NextCommandsTest {
  private static final String RULES = "reports/study-sample/alerts/rules.yaml";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "report reports/sample", "backtest " + RULES + " reports/sample",
        "lint " + RULES + " --run reports/sample", "lint " + RULES,
        "alerts reports/sample --out target/next/alerts", "compare reports/sample reports/sample",
        "simulate scenarios/quickstart.yaml --set duration=5s --out target/next",
        "capacity scenarios/steady-chat.yaml --rehearse --budget 2s --out target/next",
        "study scenarios/study-short.yaml --rehearse --budget 2s --out target/next",
        "launch kubernetes scenarios/quickstart.yaml --target http://vllm:8000 --image i:1"
            + " --shards 2 --claim c --out target/next/kubernetes",
        "launch slurm scenarios/quickstart.yaml --target http://vllm:8000 --shards 2"
            + " --out target/next/slurm"
      })
  void everyLineUnderNextCanBeTypedOrIsASentence(String typed) {
    NextLines.check(CommandRun.of(typed.split(" ")).output());
  }
}
