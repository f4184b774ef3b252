package tallystick.scenario;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tallystick.scenario.Scenario.Access;
import tallystick.scenario.Scenario.RequestForm;

/** Reads how requests are built and how the servers are reached. */
final class RequestFormReader {
  private static final String HEADERS = "headers: {X-Team: search}";
  private static final String PARAMETERS = "url_parameters: {api-version: 2024-06-01}";
  private static final String ONE_CLIENT = "remove it: the client alone keeps its connections";
  private static final String JSON_BODY = "remove it: every body is JSON, of a known length";

  /** What the client writes itself and what a scenario's word would break. */
  private static final Map<String, String> OWN_HEADERS =
      Map.ofEntries(
          Map.entry(
              "x-request-id", "remove it: each request has its own, its row's request_id"),
          Map.entry("traceparent", "remove it: each request has its own, made from its request_id"),
          Map.entry("accept", "remove it: answers are event streams"),
          Map.entry("accept-encoding", "remove it: a compressed answer hides when tokens arrived"),
          Map.entry("host", "write that name in target:, and have it resolve to the address"),
          Map.entry("content-type", JSON_BODY),
          Map.entry("content-length", JSON_BODY),
          Map.entry("content-encoding", JSON_BODY),
          Map.entry("transfer-encoding", JSON_BODY),
          Map.entry("trailer", JSON_BODY),
          Map.entry("expect", JSON_BODY),
          Map.entry("connection", ONE_CLIENT),
          Map.entry("proxy-connection", ONE_CLIENT),
          Map.entry("keep-alive", ONE_CLIENT),
          Map.entry("te", ONE_CLIENT),
          Map.entry("upgrade", ONE_CLIENT));

  private RequestFormReader() {}

  private static Optional<Section> section(Section root) {
    return root.find("request").map(v -> Section.of(v, ScenarioKeys.REQUEST));
  }

  /** Fields added to every request body, if any are written. */
  static Optional<ScenarioValue> extraBody(Section root) {
    return section(root).flatMap(s -> s.find("extra_body"));
  }

  static RequestForm form(Section root, SecretReader secrets) {
    Optional<Section> section = section(root);
    return new RequestForm(
        section.flatMap(s -> s.find("ignore_eos")).map(ScenarioValue::flag).orElse(true),
        section.flatMap(s -> s.find("same_prompts")).map(ScenarioValue::flag).orElse(false),
        section.flatMap(s -> s.find("continuous_usage")).map(ScenarioValue::flag).orElse(true),
        JsonText.object(extraBody(root).stream().toList(), secrets),
        section.flatMap(s -> s.find("headers")).map(RequestFormReader::headers)
            .orElse(Map.of()),
        section.flatMap(s -> s.find("token_limit")).map(RequestFormReader::tokenLimit)
            .orElse(TokenLimit.MAX_TOKENS),
        !section.flatMap(s -> s.find("usage")).map(ScenarioValue::flag).orElse(true));
  }

  private static TokenLimit tokenLimit(ScenarioValue value) {
    String field = value.text("token_limit: max_completion_tokens");
    return Arrays.stream(TokenLimit.values())
        .filter(one -> one.field().equals(field))
        .findFirst()
        .orElseThrow(
            () ->
                value.wrong(
                    "max_tokens or max_completion_tokens", "token_limit: max_completion_tokens"));
  }

  static Access access(Section root, Folder folder, SecretReader secrets) {
    Optional<Section> section = section(root);
    Optional<ScenarioValue> name = section.flatMap(s -> s.find("api_key_env"));
    Optional<ScenarioValue> file = section.flatMap(s -> s.find("api_key_file"));
    if (name.isPresent() && file.isPresent()) {
      throw file.get().origin().error(
          "api_key_env and api_key_file are both written", "keep one of them");
    }
    return new Access(
        name.map(SecretReader::environmentName).orElse(""),
        file.map(v -> folder.file(v, "api_key_file: key.txt").toString()).orElse(""),
        section.flatMap(s -> s.find("ca_file"))
            .map(v -> folder.file(v, "ca_file: ca.pem").toString()).orElse(""),
        TargetReader.list(root, folder),
        section.flatMap(s -> s.find("url_parameters")).map(RequestFormReader::urlParameters)
            .orElse(Map.of()),
        new SecretPlaces(
            section.flatMap(s -> s.find("headers")).map(secrets::places).orElse(Map.of()),
            section.flatMap(s -> s.find("url_parameters")).map(secrets::places).orElse(Map.of()),
            secrets.fields()));
  }

  private static Map<String, String> urlParameters(ScenarioValue value) {
    Map<String, String> parameters = new LinkedHashMap<>();
    literals(value, PARAMETERS).forEach(
        (name, parameter) -> parameters.put(name, parameter.text(PARAMETERS)));
    return parameters;
  }

  private static Map<String, String> headers(ScenarioValue value) {
    value.entries(HEADERS).forEach(
        (name, header) -> {
          if (!name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]+")) {
            throw header.origin().withoutSecrets().error(
                header.path() + " is no name of a header: it needs plain ASCII without blanks",
                "write for example " + HEADERS);
          }
          refuseOwn(name, header);
        });
    Map<String, String> headers = new LinkedHashMap<>();
    literals(value, HEADERS).forEach(
        (name, header) -> {
          String text = header.text(HEADERS);
          if (!text.matches("[\\x20-\\x7E]*")) {
            throw header.wrong("plain ASCII", HEADERS);
          }
          headers.put(name, text);
        });
    return headers;
  }

  /** What is written out, which no secret may be. */
  private static Map<String, ScenarioValue> literals(ScenarioValue value, String example) {
    Map<String, ScenarioValue> literals = new LinkedHashMap<>(value.entries(example));
    literals.values().removeIf(ScenarioValue::isMapping);
    literals.forEach((name, literal) -> SecretReader.refuseLiteral(literal, name));
    return literals;
  }

  private static void refuseOwn(String name, ScenarioValue header) {
    String remedy = OWN_HEADERS.get(name.toLowerCase(Locale.ROOT));
    if (remedy != null) {
      throw header.origin().error(
          "headers must not hold " + name + ", which the client writes itself", remedy);
    }
  }
}
