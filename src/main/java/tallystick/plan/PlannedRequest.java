package tallystick.plan;

import java.util.List;

/**
 * One request the run intends to send.
 *
 * @param index position in the plan, from 0; first turns are in the order of their intended starts,
 *     later turns follow theirs at once
 * @param phase name of the {@link Phase} it belongs to
 * @param requestClass its class in a mix of classes; {@code "default"} where there is no mix
 * @param user whose request it is: in a closed loop or a conversation one user's requests follow
 *     each other, otherwise every request has a user of its own
 * @param turn position in the user's conversation, from 0, requests with a tool's result counted
 *     too; one above 0 sends the history too
 * @param offsetNanos intended start after the origin of the measured window (of the warm-up for a
 *     warm-up's); {@link #AFTER_PREVIOUS} where it is the end of the user's previous request plus
 *     {@code thinkNanos}, which never holds for a user's first
 * @param thinkNanos pause after the user's previous request; 0 where there is none
 * @param prompt what it says
 * @param maxTokens {@code max_tokens} of the request, at least 1
 * @param choices {@code n} of the request, at least 1
 * @param target index into the plan's targets
 * @param cancel when the client leaves early
 * @param tool whether it brings a tool's result: it belongs to the user's turn before it, and
 *     {@code thinkNanos} is how long the tool ran
 * @param agent whose history it sends and goes on with: 0 for the user's own, else a sub-agent's,
 *     whose requests belong to the user's turn before them
 * @param after turns of the user that must have ended, {@code thinkNanos} before it starts; empty
 *     where it waits for the one before
 * @param forgets whether it sends nothing of its agent's history, which begins anew with it
 */
public record PlannedRequest(
    int index,
    String phase,
    String requestClass,
    int user,
    int turn,
    long offsetNanos,
    long thinkNanos,
    Prompt prompt,
    int maxTokens,
    int choices,
    int target,
    Cancel cancel,
    boolean tool,
    int agent,
    List<Integer> after,
    boolean forgets) {

  /** The class of all requests where there is no mix of classes. */
  public static final String NO_MIX = "default";

  /** The offset of a request whose intended start is the end of the user's previous one. */
  public static final long AFTER_PREVIOUS = -1;

  /** The offset of a later turn that starts {@code thinkNanos} after the user's first. */
  public static final long AFTER_FIRST_START = -2;

  /**
   * When the client leaves before the stream ends; the earlier of the two.
   *
   * @param afterNanos time since the actual start; 0 means never
   * @param afterTokens tokens received; 0 means never
   */
  public record Cancel(long afterNanos, int afterTokens) {
    /** A client that stays to the end. */
    public static final Cancel NEVER = new Cancel(0, 0);
  }

  public PlannedRequest {
    requestClass = requestClass == null ? NO_MIX : requestClass;
    cancel = cancel == null ? Cancel.NEVER : cancel;
    choices = choices == 0 ? 1 : choices;
    if (maxTokens < 1) {
      throw new IllegalArgumentException("max_tokens must be >= 1, was " + maxTokens);
    }
    if (choices < 1) {
      throw new IllegalArgumentException("n must be >= 1, was " + choices);
    }
    // A plan's text leaves out what is the plain case.
    after = after == null ? List.of() : List.copyOf(after);
  }

  /** A request of the user's own that waits for the one before and brings no tool's result. */
  public PlannedRequest(
      int index, String phase, String requestClass, int user, int turn, long offsetNanos,
      long thinkNanos, Prompt prompt, int maxTokens, int choices, int target, Cancel cancel) {
    this(
        index, phase, requestClass, user, turn, offsetNanos, thinkNanos, prompt, maxTokens, choices,
        target, cancel, false, 0, List.of(), false);
  }

  /** Whether it is part of the warm-up, which is discarded. */
  public boolean isWarmup() {
    return phase.equals(Phase.WARMUP);
  }

  /** The plain case: one request of its own user, one choice, first target, never cancelled. */
  public static PlannedRequest simple(
      int index, String phase, long offsetNanos, Prompt prompt, int maxTokens) {
    return new PlannedRequest(
        index, phase, NO_MIX, index, 0, offsetNanos, 0, prompt, maxTokens, 1, 0, Cancel.NEVER);
  }
}
