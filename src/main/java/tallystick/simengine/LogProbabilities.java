package tallystick.simengine;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The {@code logprobs} of an answer: the chances with which the simulated model makes its tokens,
 * in vLLM's two shapes. Knows how much text of each choice has been told.
 */
final class LogProbabilities {
  /** The request asks for none. */
  static final int NOT_ASKED = -1;

  private static final int MOST = 20;

  private final int alternatives;
  private final boolean isChat;
  private final double endShare;
  private final int[] toldLength;

  LogProbabilities(CompletionCall call, double endShare) {
    this.alternatives = call.logprobs();
    this.isChat = call.isChat();
    this.endShare = endShare;
    this.toldLength = new int[call.choices()];
  }

  /**
   * How many alternatives to each token a request asks for.
   *
   * @throws ApiError if vLLM would refuse it
   */
  static int asked(JsonNode body, boolean isChat) {
    if (!isChat) {
      return count(body.path("logprobs"), "logprobs");
    }
    int top = count(body.path("top_logprobs"), "top_logprobs");
    if (body.path("logprobs").asBoolean(false)) {
      return Math.max(top, 0);
    }
    if (top > 0) {
      throw ApiError.badRequest(
          "when using `top_logprobs`, `logprobs` must be set to true. (parameter=top_logprobs)",
          "top_logprobs");
    }
    return NOT_ASKED;
  }

  /** The next tokens of a choice as JSON, {@code null} if nobody asked. */
  String next(int choice, int[] tokens) {
    if (alternatives == NOT_ASKED) {
      return "null";
    }
    return isChat ? chat(tokens) : completion(choice, tokens);
  }

  private static int count(JsonNode asked, String name) {
    if (asked.isMissingNode() || asked.isNull()) {
      return NOT_ASKED;
    }
    if (!asked.isIntegralNumber()) {
      throw ApiError.badRequest(
          String.format(
              Locale.ROOT,
              "`%s` must be an integer. (parameter=%s, value=%s)",
              name, name, asked.asText()),
          name);
    }
    int count = asked.asInt() == -1 ? Vocabulary.SIZE : asked.asInt();
    if (count < 0 || count > MOST) {
      throw ApiError.badRequest(
          String.format(
              Locale.ROOT,
              "Requested sample logprobs of %d, which is greater than max allowed: %d"
                  + " (parameter=logprobs, value=%d)",
              count, MOST, count),
          "logprobs");
    }
    return count;
  }

  private String completion(int choice, int[] tokens) {
    List<String> offsets = new ArrayList<>();
    List<String> chances = new ArrayList<>();
    List<String> words = new ArrayList<>();
    List<String> tops = new ArrayList<>();
    for (int token : tokens) {
      offsets.add(Integer.toString(toldLength[choice]));
      toldLength[choice] += Vocabulary.word(token).length();
      chances.add(chance(token));
      words.add(Json.quoted(Vocabulary.word(token)));
      List<String> top = new ArrayList<>();
      for (int other : withAlternatives(token, 1 + alternatives)) {
        top.add(Json.quoted(Vocabulary.word(other)) + ":" + chance(other));
      }
      tops.add("{" + String.join(",", top) + "}");
    }
    return String.format(
        Locale.ROOT,
        "{\"text_offset\":[%s],\"token_logprobs\":[%s],\"tokens\":[%s],\"top_logprobs\":[%s]}",
        String.join(",", offsets), String.join(",", chances), String.join(",", words),
        String.join(",", tops));
  }

  private String chat(int[] tokens) {
    List<String> content = new ArrayList<>();
    for (int token : tokens) {
      List<String> top = new ArrayList<>();
      for (int other : withAlternatives(token, alternatives)) {
        top.add("{" + entry(other) + "}");
      }
      content.add("{" + entry(token) + ",\"top_logprobs\":[" + String.join(",", top) + "]}");
    }
    return "{\"content\":[" + String.join(",", content) + "]}";
  }

  private String entry(int token) {
    String word = Vocabulary.word(token);
    List<String> bytes = new ArrayList<>();
    for (byte one : word.getBytes(StandardCharsets.UTF_8)) {
      bytes.add(Byte.toString(one));
    }
    return String.format(
        Locale.ROOT,
        "\"token\":%s,\"logprob\":%s,\"bytes\":[%s]",
        Json.quoted(word), chance(token), String.join(",", bytes));
  }

  private String chance(int token) {
    return Double.toString(TokenSource.logProbability(token, endShare));
  }

  /** The token, then words that are as likely as any. */
  private static int[] withAlternatives(int token, int count) {
    int[] all = new int[count];
    for (int i = 0; i < count; i++) {
      int words = Vocabulary.SIZE - Vocabulary.SPECIAL.size();
      all[i] = Vocabulary.SPECIAL.size() + Math.floorMod(token + i, words);
    }
    if (count > 0) {
      all[0] = token;
    }
    return all;
  }
}
