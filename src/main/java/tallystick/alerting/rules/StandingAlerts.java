package tallystick.alerting.rules;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tallystick.alerting.AlertForms;
import tallystick.alerting.AlertSeverity;
import tallystick.alerting.RefusalCode;
import tallystick.alerting.derivation.PerEngine;
import tallystick.promql.PromTime;
import tallystick.runrecord.MetricConcept;

/** The alerts of {@code standing-alerts.yaml}: on what stands still, and on what is gone. */
record StandingAlerts(RuleParts parts, PerEngine engine) {
  private static final JsonNode FORMS =
      AlertForms.data(AlertForms.text("standing-alerts.yaml"));

  /** The alerts without a threshold: users' suffering does not judge them. */
  static final List<String> NAMES = FORMS.findValuesAsText("name");

  void all() {
    Map<String, String> words =
        Map.of(
            "engine", engine.labels(), "model", engine.modelLabel(),
            "job", parts.request().job(), "up", "up{job=\"" + parts.request().job() + "\"}",
            "running", engine.query().names().family(MetricConcept.RUNNING).orElse(""));
    for (JsonNode form : FORMS) {
      Optional<MetricConcept> missing =
          engine.missing(
              form.path("needs").valueStream()
                  .map(need -> MetricConcept.valueOf(need.asText()))
                  .toArray(MetricConcept[]::new));
      if (missing.isEmpty()) {
        add(form, words);
      } else if (form.has("watches")) {
        parts.refuse(
            form.get("name").asText(), form.get("watches").asText(),
            RefusalCode.TOO_FEW_OBSERVATIONS,
            "0 series of %s, need 1 or more"
                .formatted(missing.get().name().toLowerCase(Locale.ROOT)));
      }
    }
  }

  private void add(JsonNode form, Map<String, String> words) {
    String expression =
        form.get("expr").valueStream()
            .flatMap(part -> engine.query().filled(part.asText(), words).stream())
            .collect(Collectors.joining("\n"));
    AlertSeverity severity = AlertSeverity.valueOf(form.get("severity").asText());
    parts.add(
        new RuleSet.Rule(
            true, form.get("name").asText(), expression,
            PromTime.millis(form.get("for").asText()).orElseThrow(), 0,
            Map.of("severity", severity.code()),
            parts.annotations(
                engine.query().filled(form.get("summary").asText(), words).orElseThrow(),
                engine.query().filled(form.get("description").asText(), words).orElseThrow()),
            List.of("no threshold: presence only"), AlertExpectation.NONE));
  }
}
