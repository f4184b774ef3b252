package tallystick.cli.alerting;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tallystick.alerting.derivation.DerivedAlerts;
import tallystick.alerting.review.AlertReview;
import tallystick.alerting.review.EarnedAlerts;
import tallystick.alerting.rules.RuleSet;
import tallystick.alerting.rules.SharedRules;
import tallystick.alerting.writing.Dashboard;
import tallystick.alerting.writing.PersesDashboard;
import tallystick.alerting.writing.RuleSetText;
import tallystick.alerting.writing.RuleTestText;
import tallystick.alerting.writing.SloText;
import tallystick.report.AnswerFiles;
import tallystick.runrecord.WholeFile;

/** The folder of rules: what Prometheus and its neighbours read, and a page for people. */
public final class AlertFiles {
  private AlertFiles() {}

  /**
   * Writes all files.
   *
   * @param reviews one for each objective, the first one's files without its name
   * @return their names
   */
  public static List<String> write(Path folder, List<AlertReview> reviews, String model)
      throws IOException {
    Files.createDirectories(folder);
    Map<String, String> files = files(reviews, model);
    for (Map.Entry<String, String> file : files.entrySet()) {
      // A Prometheus may read them at any moment: never half a file, nor one cut to nothing.
      WholeFile.write(folder.resolve(file.getKey()), file.getValue());
    }
    return List.copyOf(files.keySet());
  }

  private static Map<String, String> files(List<AlertReview> reviews, String model) {
    RuleSet rules = SharedRules.merged(reviews.stream().map(AlertReview::rules).toList());
    Map<String, String> files = new LinkedHashMap<>();
    files.put("rules.yaml", RuleSetText.prometheus(rules));
    files.put("prometheusrule.yaml", RuleSetText.kubernetes(rules));
    for (AlertReview review : reviews) {
      DerivedAlerts derived = review.derived();
      String ofObjective =
          review == reviews.getFirst() ? "" : "_" + derived.request().metricWord();
      files.put(
          "alerts" + ofObjective + ".html",
          AnswerFiles.page(
              EarnedAlerts.page(review), "The rules themselves are in rules.yaml."));
      review
          .test()
          .ifPresent(
              test ->
                  files.put(
                      "rules_test" + ofObjective + ".yaml",
                      RuleTestText.of(test, "rules.yaml")));
      files.put("openslo" + ofObjective + ".yaml", SloText.openSlo(derived, model));
      files.put("sloth" + ofObjective + ".yaml", SloText.sloth(derived, model));
    }
    files.put("alertmanager.yaml", SloText.alertmanager());
    files.put("dashboard.json", Dashboard.of(reviews.getFirst().derived()));
    files.put("perses.json", PersesDashboard.of(reviews.getFirst().derived()));
    return files;
  }
}
