package tallystick.analysis;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tallystick.analysis.client.RequestCounts;
import tallystick.runrecord.Outcome;
import tallystick.scenario.RefusedField;

/**
 * What to do where requests failed and nearly all of them in one way.
 *
 * @param byOutcome requests by how they ended
 * @param byStatus responses by HTTP status
 * @param words what servers and the network said, the most frequent first
 */
record FailureRemedy(Map<String, Long> byOutcome, Map<String, Long> byStatus, List<String> words) {
  /** One cause: what remains of the failures is told in the table. */
  private static final double NEARLY_ALL = 0.9;

  /** No failures of the server. */
  private static final Set<String> LEFT_OUT =
      Set.of(RequestCounts.word(Outcome.OK), RequestCounts.word(Outcome.CLIENT_CANCELLED));

  /** What a server says may be typed again only where it is nothing but a URL. */
  private static final Pattern REDIRECTED_BASE =
      Pattern.compile("redirected: to (https?://[a-z0-9.:\\[\\]_/-]+?)/v1/");

  private static final Set<String> REFUSED_AT_THE_DOOR = Set.of("429", "503");

  private static final String UNKEPT =
      "The server does not keep its answers, or not long enough: leave out"
          + " conversation.by_response_id, or have it store responses (vLLM:"
          + " VLLM_ENABLE_RESPONSES_API_STORE=1).";

  /** The remedy where no request ended well, or another where they failed in several ways. */
  String or(String other) {
    Optional<String> refused = words.stream().findFirst().flatMap(RefusedField::remedy);
    if (refused.isPresent()) {
      return refused.get();
    }
    if (isUnkept()) {
      return UNKEPT;
    }
    if (isMost(Outcome.HTTP_ERROR)) {
      return ofHttpError();
    }
    if (isMost(Outcome.DONE_MISSING)) {
      return "The streams ended, or were left open after their finish reason, without usage and"
          + " without their end mark, [DONE]. Ask the engine itself, past any gateway, to see who"
          + " leaves them out or sends them late.";
    }
    if (isMost(Outcome.REFUSED)) {
      return "Check the URL, that a server is up there, and its certificate if it has one.";
    }
    if (isMost(Outcome.REDIRECTED)) {
      return ofRedirect();
    }
    if (isMost(Outcome.COMPRESSED)) {
      return "Switch compression of answers off in what stands before the engine.";
    }
    if (isMost(Outcome.ERROR_EVENT) || isMost(Outcome.MALFORMED_CHUNK)) {
      return "Read what the server said inside its streams; its log says more.";
    }
    return isMost(Outcome.NO_ANSWER) || isMost(Outcome.CUT_MID_STREAM)
        ? "Somebody ended the answers: look in the log of the engine, and of what stands before it."
        : other;
  }

  /** The remedy where some requests ended well, so that the address is right. */
  String ofSome() {
    if (isUnkept()) {
      return UNKEPT;
    }
    if (isMost(Outcome.HTTP_ERROR) && isMostly(REFUSED_AT_THE_DOOR)) {
      return "Lower the rate, or lift the limit of whoever refuses: the engine's server, or what"
          + " stands before it. Both logs tell.";
    }
    if (isMost(Outcome.CUT_MID_STREAM) || isMost(Outcome.NO_ANSWER)) {
      return "Somebody ended these answers: look in the log of the engine, and of what stands"
          + " before it.";
    }
    return "Look at the outcomes: they tell a refusing server from a slow or a broken one.";
  }

  /** Whether what failed most named an answer that the server does not keep. */
  private boolean isUnkept() {
    String first = first();
    return first.contains("previous_response") || first.contains("response with id");
  }

  /** The remedy where all answers came well and none was a stream of tokens. */
  String ofNothingStreamed() {
    String first = first();
    if (first.contains("<html") || first.contains("<!doctype")) {
      return "A web page answered: correct the URL, or sign in where it asks for that.";
    }
    if (first.contains("no content-type") || first.contains(": data:")) {
      return "The server, or what stands before it, must send the header Content-Type:"
          + " text/event-stream with its streams.";
    }
    boolean isWhole = first.contains("\"choices\"") || first.contains("\"output\"");
    if (first.contains("\"error\"") && !isWhole || first.contains("json") && !isWhole) {
      return "Read what the server said: it answers an error with status 200.";
    }
    return isWhole
        ? "The answers came whole: the server, or what stands before it, does not stream. E2E and"
            + " tokens alone can be measured so: --set request.stream=false."
        : "Check the endpoint and the model: the server may not stream.";
  }

  private String ofHttpError() {
    String first = first();
    if (first.contains("model") && (first.contains("not exist") || first.contains("not found"))) {
      return "Name a model that the server has: --model NAME.";
    }
    if (isMostly(Set.of("401", "403"))) {
      return "Give a key that the server takes: --api-key-env VARIABLE.";
    }
    if (isMostly(Set.of("404", "405"))) {
      return "Nothing takes such requests there: correct the path of the URL, or the scenario's"
          + " endpoint.";
    }
    if (isMostly(Set.of("400", "422"))) {
      return "Read what the server said: it does not take these requests as they are.";
    }
    if (isMostly(REFUSED_AT_THE_DOOR)) {
      return "The server refuses all: look for a limit, or for an engine that is not up behind it.";
    }
    if (isMostly(Set.of("502", "504"))) {
      return "Look whether the engine is up: what stands before it does not reach it.";
    }
    return "Read what the server said; its log says more.";
  }

  private String ofRedirect() {
    Matcher base = REDIRECTED_BASE.matcher(first());
    if (base.find()) {
      return "Give the URL that the server redirects to, up to its /v1: --target "
          + base.group(1) + ". Redirects are not followed.";
    }
    return first().contains("://")
        ? "Redirects are not followed. This one may be a page to sign in: a key may be missing."
        : "Redirects are not followed: correct the route in what stands before the engine.";
  }

  private String first() {
    return words.isEmpty() ? "" : words.getFirst().toLowerCase(Locale.ROOT);
  }

  private boolean isMost(Outcome outcome) {
    long failed =
        byOutcome.entrySet().stream()
            .filter(entry -> !LEFT_OUT.contains(entry.getKey()))
            .mapToLong(Map.Entry::getValue)
            .sum();
    return byOutcome.getOrDefault(RequestCounts.word(outcome), 0L) >= NEARLY_ALL * failed;
  }

  private boolean isMostly(Set<String> statuses) {
    long errors = byOutcome.getOrDefault(RequestCounts.word(Outcome.HTTP_ERROR), 0L);
    long these =
        statuses.stream()
            .collect(Collectors.summingLong(status -> byStatus.getOrDefault(status, 0L)));
    return these >= NEARLY_ALL * errors;
  }
}
