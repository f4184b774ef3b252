package tallystick.gatling;

import java.util.Optional;
import tallystick.plan.PlannedRequest;
import tallystick.runrecord.RequestRow;

/**
 * One request about to be sent.
 *
 * @param request what the plan says of it
 * @param conversation whose turn it is
 * @param moment when it is to start
 * @param counters count its start and its end
 * @param waiter is told of its end
 */
record ScheduledRequest(
    PlannedRequest request,
    Conversation conversation,
    Moment moment,
    LoadCounters counters,
    Waiter waiter) {

  /** A request that is no part of any load. */
  static ScheduledRequest alone(PlannedRequest request, Moment moment, Waiter waiter) {
    return new ScheduledRequest(
        request, Conversation.alone(request), moment, new LoadCounters(), waiter);
  }

  long intendedNanoTime() {
    return moment.intendedNanoTime();
  }

  /**
   * When a request is to start.
   *
   * @param intendedNanoTime {@code System.nanoTime()} of it
   * @param aheadNanos how long before that it is handed to its stream's thread
   */
  record Moment(long intendedNanoTime, long aheadNanos) {
    static Moment at(long intendedNanoTime) {
      return new Moment(intendedNanoTime, EarlyDispatch.LEAST_NANOS);
    }
  }

  /** Who waits for a request's end. */
  interface Waiter {
    /** Whether the request is still to be sent. Asked just before it is. */
    default boolean isWanted() {
      return true;
    }

    /**
     * The request has ended, well or not. Called on the stream's thread.
     *
     * @param endedNanoTime {@code System.nanoTime()} of the end
     * @return what is to be sent next. Where its time has come, the same thread goes on with it:
     *     each hand-over to another thread would cost a wake-up, late where cores are short
     */
    default Optional<ScheduledRequest> ended(long endedNanoTime) {
      return Optional.empty();
    }

    /** The ended request's row is in the record. Called later, on a thread that may be kept. */
    void recorded(RequestRow row);

    /** The request was never sent, because it was not wanted any more; the same thread. */
    default void skipped() {}
  }
}
