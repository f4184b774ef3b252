package tallystick.scenario;

import java.util.List;

/**
 * What is sent and when.
 *
 * @param arrival when requests start
 * @param classes kinds of requests; one named {@code default} where there is no mix
 */
public record Workload(Arrival arrival, List<RequestClass> classes) {

  /** The class of a workload without a mix. */
  public static final String DEFAULT_CLASS = "default";

  /**
   * One kind of request.
   *
   * @param name for example {@code chat}
   * @param weight share of the requests relative to the other classes, above 0
   * @param content where prompts and answers come from
   * @param prefixes what prompts share
   * @param conversation how many turns follow each other
   * @param cancellation who leaves early
   * @param form how its requests differ from the others'
   */
  public record RequestClass(
      String name,
      double weight,
      RequestContent content,
      SharedPrefixes prefixes,
      Conversation conversation,
      Cancellation cancellation,
      ClassForm form) {
    public RequestClass {
      if (!(weight > 0)) {
        throw new IllegalArgumentException("weight must be > 0, was " + weight);
      }
    }

    /** Whether some of its requests follow each other. */
    public boolean hasSessions() {
      boolean isMore = !conversation.turns().equals(Conversation.SINGLE.turns());
      return conversation.tools().share() > 0
          || conversation.agents().share() > 0
          || isMore
              && (!(content instanceof RequestContent.FromDataset from)
                  || from.dataset().entries().stream().anyMatch(one -> one.turns().size() > 1));
    }

    /** A class of made-up single requests that share nothing and stay to the end. */
    public static RequestClass plain(String name, Lengths promptTokens, Lengths outputTokens) {
      return new RequestClass(
          name, 1, new RequestContent.Sampled(promptTokens, outputTokens), SharedPrefixes.NONE,
          Conversation.SINGLE, Cancellation.NEVER, ClassForm.PLAIN);
    }
  }

  /**
   * What prompts have in common, put before their own tokens.
   *
   * @param groups number of different prefixes, equally often; 0 means no prefix
   * @param share share of the requests that have one
   * @param tokens length of each
   */
  public record SharedPrefixes(int groups, double share, int tokens) {
    /** Prompts that share nothing. */
    public static final SharedPrefixes NONE = new SharedPrefixes(0, 0, 0);
  }

  /**
   * Requests of one user that follow each other, each with the whole history.
   *
   * @param turns number of turns; in a data set the most that are taken of an entry
   * @param thinkTime pause between an answer's end and the next question
   * @param tools what a turn does before its last answer
   * @param agents whom it calls then
   * @param byResponseId whether the server keeps the history, and requests name the answer before
   */
  public record Conversation(
      Lengths turns, ThinkTime thinkTime, Tools tools, Agents agents, boolean byResponseId) {
    /** One question, one answer. */
    public static final Conversation SINGLE =
        new Conversation(new Lengths.Fixed(1), new ThinkTime.Fixed(0));

    /** Turns of one request each, that bring the whole history. */
    public Conversation(Lengths turns, ThinkTime thinkTime) {
      this(turns, thinkTime, Tools.NONE, Agents.NONE, false);
    }
  }

  /**
   * Tools that a turn calls one after the other. Each call is an answer; its result comes back,
   * when the tool has run, in a request of its own with the whole history.
   *
   * @param share share of the turns that call any; 0 means none
   * @param calls how many such a turn calls
   * @param time how long a tool runs: from the end of the answer that calls it to the next request
   * @param resultTokens tokens that a result adds to the history
   * @param callTokens tokens of an answer that calls a tool
   */
  public record Tools(
      double share, Lengths calls, ThinkTime time, Lengths resultTokens, Lengths callTokens) {
    /** Answers that call nothing. */
    public static final Tools NONE = none(new Lengths.Fixed(1));

    private static Tools none(Lengths one) {
      return new Tools(0, one, new ThinkTime.Fixed(0), one, one);
    }
  }

  /**
   * Sub-agents that a turn calls, all at the same time. Each sends its requests one after the
   * other, with a history of its own; then the turn goes on with what they bring.
   *
   * @param share share of the turns that call any; 0 means none
   * @param count how many such a turn calls
   * @param turns requests of each
   * @param promptTokens tokens that each of its requests adds to its history
   * @param outputTokens tokens of each of its answers
   * @param time pause between its requests
   * @param resultTokens tokens that all together add to the caller's history
   * @param callTokens tokens of the answer that calls them
   */
  public record Agents(
      double share, Lengths count, Lengths turns, Lengths promptTokens, Lengths outputTokens,
      ThinkTime time, Lengths resultTokens, Lengths callTokens) {
    /** Turns that call nobody. */
    public static final Agents NONE = none(new Lengths.Fixed(1));

    private static Agents none(Lengths one) {
      return new Agents(0, one, one, one, one, new ThinkTime.Fixed(0), one, one);
    }
  }

  /**
   * Clients that leave before their stream ends, at the earlier of two moments.
   *
   * @param share share of the requests
   * @param afterNanos time since the request's start; 0 means never
   * @param afterTokens tokens received; 0 means never
   */
  public record Cancellation(double share, long afterNanos, int afterTokens) {
    /** Everybody stays. */
    public static final Cancellation NEVER = new Cancellation(0, 0, 0);
  }

  /**
   * How a class differs from the scenario's requests.
   *
   * @param model model name; empty means the scenario's
   * @param choices {@code n} of each request
   * @param extraBody JSON object text whose fields are added to every request body, the scenario's
   *     own included
   */
  public record ClassForm(String model, int choices, String extraBody) {
    /** No difference. */
    public static final ClassForm PLAIN = new ClassForm("", 1, "{}");
  }

  public Workload {
    classes = List.copyOf(classes);
    if (classes.isEmpty()) {
      throw new IllegalArgumentException("a workload needs at least one class of requests");
    }
  }
}
