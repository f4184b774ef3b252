package tallystick.scenario;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tallystick.scenario.Scenario.Access;
import tallystick.scenario.Scenario.RequestForm;

/** Reads how requests are built and how the servers are reached. */
final class RequestFormReader {
  /** What the client writes itself and what a scenario's word would break. */
  private static final Map<String, String> OWN_HEADERS = ScenarioKeys.remedies("own headers");

  private RequestFormReader() {}

  /** Fields added to every request body, if any are written. */
  static Optional<ScenarioValue> extraBody(Section root) {
    return Section.of(root.get("request")).find("extra_body");
  }

  static RequestForm form(Section root, SecretReader secrets) {
    Section section = Section.of(root.get("request"));
    return new RequestForm(
        section.get("ignore_eos").flag(),
        section.get("same_prompts").flag(),
        section.get("continuous_usage").flag() && section.get("stream").flag(),
        JsonText.object(extraBody(root).stream().toList(), secrets),
        section.find("headers").map(RequestFormReader::headers).orElse(Map.of()),
        TokenLimit.valueOf(section.get("token_limit").word().toUpperCase(Locale.ROOT)),
        !section.get("usage").flag(),
        !section.get("stream").flag());
  }

  static Access access(Section root, Folder folder, SecretReader secrets) {
    Section section = Section.of(root.get("request"));
    return new Access(
        section.find("api_key_env").map(SecretReader::environmentName).orElse(""),
        section.find("api_key_file").map(v -> folder.file(v).toString()).orElse(""),
        section.find("ca_file").map(v -> folder.file(v).toString()).orElse(""),
        TargetReader.list(root, folder),
        section.find("url_parameters")
            .map(v -> ScenarioValue.each(literals(v), ScenarioValue::text)).orElse(Map.of()),
        new SecretPlaces(
            section.find("headers").map(secrets::places).orElse(Map.of()),
            section.find("url_parameters").map(secrets::places).orElse(Map.of()),
            secrets.fields()),
        section.get("http2").flag(),
        section.find("path").map(ScenarioValue::text).orElse(""));
  }

  private static Map<String, String> headers(ScenarioValue value) {
    value.entries("names and values").forEach(
        (name, header) -> {
          if (!name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]+")) {
            throw header.origin().withoutSecrets().error(
                header.path() + " is not a header name, which is ASCII without blanks",
                "write for example " + value.example());
          }
          refuseOwn(name, header);
        });
    return ScenarioValue.each(
        literals(value),
        header -> {
          if (!header.text().matches("[\\x20-\\x7E]*")) {
            throw header.wrong("plain ASCII");
          }
          return header.text();
        });
  }

  /** What is written out, which no secret may be. */
  private static Map<String, ScenarioValue> literals(ScenarioValue value) {
    Map<String, ScenarioValue> literals = new LinkedHashMap<>(value.entries("names and values"));
    literals.values().removeIf(ScenarioValue::isMapping);
    literals.forEach((name, literal) -> SecretReader.refuseLiteral(literal, name));
    return literals;
  }

  private static void refuseOwn(String name, ScenarioValue header) {
    String remedy = OWN_HEADERS.get(name.toLowerCase(Locale.ROOT));
    if (remedy != null) {
      throw header.origin().error(
          "headers must not hold " + name + ", which the client sets itself", remedy);
    }
  }
}
