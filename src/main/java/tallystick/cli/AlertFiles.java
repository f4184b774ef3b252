package tallystick.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.writing.Dashboard;
import tallystick.alerting.writing.RuleSetText;
import tallystick.alerting.writing.RuleTestText;
import tallystick.alerting.writing.SloText;
import tallystick.report.AlertsPage;

/** The folder of rules: what Prometheus and its neighbours read, and a page for people. */
final class AlertFiles {
  private AlertFiles() {}

  /** Writes all files and names them. */
  static void write(PrintWriter console, Path folder, AlertReview review, String model)
      throws IOException {
    Files.createDirectories(folder);
    console.println();
    console.println("Written to " + folder + ":");
    for (Map.Entry<String, String> file : files(review, model).entrySet()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue());
      console.println("  " + file.getKey());
    }
  }

  private static Map<String, String> files(AlertReview review, String model) {
    DerivedAlerts derived = review.derived();
    Map<String, String> files = new LinkedHashMap<>();
    files.put("alerts.html", AlertsPage.of(review));
    files.put("rules.yaml", RuleSetText.prometheus(review.rules()));
    review
        .test()
        .ifPresent(test -> files.put("rules_test.yaml", RuleTestText.of(test, "rules.yaml")));
    files.put("prometheusrule.yaml", RuleSetText.kubernetes(review.rules()));
    files.put("openslo.yaml", SloText.openSlo(derived, model));
    files.put("sloth.yaml", SloText.sloth(derived, model));
    files.put("alertmanager.yaml", SloText.alertmanager());
    files.put("dashboard.json", Dashboard.of(derived));
    return files;
  }
}
