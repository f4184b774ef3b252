package tallystick.report;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tallystick.alerting.RefusedAlert;
import tallystick.analysis.result.RunAnalysis;

/**
 * {@code rules.yaml}: alert rules for Prometheus. A refused alert is a comment with its code and
 * the number that is missing, so that its place is seen.
 */
public final class PrometheusRules implements ReportFormat {
  private static final int WIDTH = 96;

  private final List<RefusedAlert> proposals;

  /** A file for these alerts, in this order. */
  public PrometheusRules(List<RefusedAlert> proposals) {
    this.proposals = List.copyOf(proposals);
  }

  @Override
  public String fileName() {
    return "rules.yaml";
  }

  @Override
  public void write(RunAnalysis analysis, OutputStream out) throws IOException {
    StringBuilder yaml = new StringBuilder();
    RunAnalysis.RunFacts run = analysis.run();
    comment(yaml, "", "Alert rules from a load test, by Tallystick. Check: promtool check rules.");
    comment(yaml, "", "run " + run.runId() + ", scenario " + run.scenario());
    comment(yaml, "", "engine: " + Wording.engine(run.source()));
    comment(yaml, "", "record: " + Wording.state(run.state()));
    comment(yaml, "", "ledger: " + Wording.verdict(analysis.reconciliation().verdict()));
    for (String reason : Wording.invalidity(analysis)) {
      comment(yaml, "", "INVALID: " + reason);
    }
    for (String caution : Wording.cautions(run)) {
      comment(yaml, "", caution);
    }
    yaml.append("groups:\n  - name: vllm-serving\n");
    for (RefusedAlert proposal : proposals) {
      switch (proposal) {
        case RefusedAlert refused -> refused(yaml, refused);
      }
    }
    yaml.append("    rules: []\n");
    out.write(yaml.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void refused(StringBuilder yaml, RefusedAlert refused) {
    comment(yaml, "    ", "alert: " + refused.alertName());
    comment(yaml, "    ", "  would watch: " + refused.watches());
    comment(yaml, "    ", "  refused: " + refused.code().word() + ": " + refused.missing());
  }

  // A line break in a name would end the comment and begin a rule.
  private static void comment(StringBuilder yaml, String indent, String text) {
    String lead = text.startsWith("  ") ? "#   " : "# ";
    for (String line : Lines.wrap(indent + lead, text, WIDTH)) {
      String rest = line.substring(indent.length() + lead.length());
      yaml.append(indent).append(lead).append(rest).append('\n');
    }
  }
}
