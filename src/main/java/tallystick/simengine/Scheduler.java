package tallystick.simengine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * vLLM V1's scheduler over a KV block pool: pure and deterministic, without a clock or a thread.
 *
 * <p>One step is {@link #schedule}, then the model's time, then {@link #finishStep}; aborts may
 * come in between. Follows {@code v1/core/sched/scheduler.py} of vLLM 0.32 with synchronous
 * scheduling: running sequences first, then waiting ones unless something was preempted; a sequence
 * that does not fit stops the line.
 */
final class Scheduler {
  private final SchedulerSettings settings;
  private final StepTimeProfile profile;
  private final TokenSource tokens;
  private final DraftModel drafter;
  private final BlockPool pool;
  private final BlockLifetimes lifetimes;
  private final WaitingQueue waiting;
  private final SplittableRandom noise;
  private long busyUntilNanos = -1;
  private final List<Sequence> scheduled = new ArrayList<>();
  private List<Sequence> running = new ArrayList<>();
  private int budget;
  private boolean isFlushNeeded;
  private boolean isAdmissionHeld;
  private long prefixQueries;
  private long prefixHits;

  Scheduler(
      SchedulerSettings settings, StepTimeProfile profile, TokenSource tokens, long seed) {
    this.settings = settings;
    this.profile = profile;
    this.tokens = tokens;
    this.drafter = new DraftModel(settings.speculation(), seed);
    this.noise = new SplittableRandom(seed);
    this.lifetimes =
        new BlockLifetimes(
            settings.numGpuBlocks(), settings.kvCacheMetricsSample(), noise.nextLong());
    this.pool = new BlockPool(settings.numGpuBlocks(), settings.enablePrefixCaching(), lifetimes);
    this.waiting = new WaitingQueue(settings.policy());
  }

  /** Queues a sequence. */
  void add(Sequence sequence, long nowNanos) {
    sequence.queuedNanos = nowNanos;
    waiting.add(sequence);
  }

  /** Ends a sequence wherever it is; its blocks are free at once. No effect if it has ended. */
  void abort(Sequence sequence) {
    switch (sequence.status) {
      case RUNNING -> running.remove(sequence);
      case WAITING, PREEMPTED -> waiting.remove(sequence);
      case FINISHED -> {
        return;
      }
    }
    finish(sequence);
  }

  /** Whether a step would do something: compute, or tell that a sequence has ended. */
  boolean hasWork() {
    return isFlushNeeded || !running.isEmpty() || !waiting.isEmpty();
  }

  /** Whether waiting sequences stay where they are, as a fault has it. */
  void holdAdmission(boolean isHeld) {
    isAdmissionHeld = isHeld;
  }

  /**
   * Begins a step.
   *
   * @return how long the model runs, in nanoseconds; 0 if nothing is computed
   */
  long schedule(long nowNanos) {
    budget = settings.maxNumBatchedTokens();
    scheduled.clear();
    isFlushNeeded = false;
    boolean wakes = running.isEmpty() && nowNanos > busyUntilNanos;
    int candidates = running.size() + waiting.size();
    int longPrefillLimit = candidates > 1 ? settings.longPrefillTokenThreshold() : 0;
    boolean hasPreempted = scheduleRunning(longPrefillLimit, nowNanos);
    if (!hasPreempted && !isAdmissionHeld) {
      scheduleWaiting(longPrefillLimit, nowNanos);
    }
    return scheduled.isEmpty() ? 0 : profile.nanos(StepWork.of(scheduled), wakes, noise);
  }

  /** Ends the step: each sequence that is caught up gets its next token, or several. */
  StepOutput finishStep(long endNanos) {
    busyUntilNanos = endNanos;
    List<StepOutput.Output> outputs = new ArrayList<>(scheduled.size());
    boolean hasFinished = false;
    for (Sequence sequence : scheduled) {
      sequence.scheduledTokens = 0;
      if (sequence.isFinished() || sequence.computedTokens < sequence.tokens) {
        continue;
      }
      StepOutput.Output output = emit(sequence);
      outputs.add(output);
      if (output.finishReason() != null) {
        finish(sequence);
        hasFinished = true;
      }
    }
    scheduled.clear();
    if (hasFinished) {
      running.removeIf(Sequence::isFinished);
    }
    return new StepOutput(endNanos, outputs, takeStatistics());
  }

  /** Forgets every cached prefix; false and without effect while a block is held. */
  boolean resetPrefixCache() {
    return pool.reset();
  }

  BlockPool pool() {
    return pool;
  }

  List<Sequence> running() {
    return running;
  }

  /** The sequences of the step in progress. */
  List<Sequence> scheduled() {
    return scheduled;
  }

  private boolean scheduleRunning(int longPrefillLimit, long nowNanos) {
    boolean hasPreempted = false;
    int index = 0;
    while (index < running.size() && budget > 0) {
      Sequence sequence = running.get(index);
      int newTokens = newTokens(sequence, sequence.computedTokens, longPrefillLimit);
      newTokens =
          Math.min(newTokens, settings.maxModelLen() - sequence.computedTokens - 1);
      if (newTokens <= 0) {
        index++;
        continue;
      }
      while (!grow(sequence, newTokens, nowNanos)) {
        hasPreempted = true;
        Sequence victim = victim();
        int victimIndex = running.indexOf(victim);
        preempt(victim, victimIndex);
        if (victim == sequence) {
          return true;
        }
        index -= victimIndex < index ? 1 : 0;
      }
      take(sequence, newTokens);
      index++;
    }
    return hasPreempted;
  }

  private void scheduleWaiting(int longPrefillLimit, long nowNanos) {
    while (budget > 0 && !waiting.isEmpty() && running.size() < settings.maxNumSeqs()) {
      Sequence sequence = waiting.peek();
      int[] hits = cachedPrefix(sequence);
      if (!fits(sequence, hits)) {
        return;
      }
      waiting.removeHead();
      admit(sequence, hits, longPrefillLimit, nowNanos);
    }
  }

  private void admit(Sequence sequence, int[] hits, int longPrefillLimit, long nowNanos) {
    for (int block : hits) {
      pool.touch(block, nowNanos);
      sequence.addBlock(block);
    }
    sequence.registeredBlocks = hits.length;
    int hitTokens = hits.length * settings.blockSize();
    if (settings.enablePrefixCaching() && sequence.preemptions == 0) {
      prefixQueries += sequence.tokens;
      prefixHits += hitTokens;
    }
    if (sequence.preemptions == 0) {
      sequence.cachedTokens = hitTokens;
    }
    int newTokens = newTokens(sequence, hitTokens, longPrefillLimit);
    sequence.computedTokens = hitTokens;
    boolean hasGrown = grow(sequence, newTokens, nowNanos);
    if (!hasGrown) {
      throw new IllegalStateException("admitted sequence " + sequence.id + " does not fit");
    }
    if (sequence.scheduledNanos == Sequence.NEVER) {
      sequence.scheduledNanos = nowNanos;
    }
    sequence.status = Sequence.Status.RUNNING;
    running.add(sequence);
    take(sequence, newTokens);
  }

  private int newTokens(Sequence sequence, int computedTokens, int longPrefillLimit) {
    int newTokens = sequence.tokens + sequence.draftedTokens - computedTokens;
    if (0 < longPrefillLimit && longPrefillLimit < newTokens) {
      newTokens = longPrefillLimit;
    }
    return Math.min(newTokens, budget);
  }

  private void take(Sequence sequence, int newTokens) {
    sequence.scheduledTokens = newTokens;
    sequence.computedTokens += newTokens;
    budget -= newTokens;
    scheduled.add(sequence);
  }

  /** Blocks of the longest cached prefix that leaves at least one token to compute. */
  private int[] cachedPrefix(Sequence sequence) {
    if (!settings.enablePrefixCaching()) {
      return new int[0];
    }
    int limit = (sequence.tokens - 1) / settings.blockSize();
    int[] found = new int[limit];
    int count = 0;
    while (count < limit) {
      int block = pool.find(sequence.blockHash(count));
      if (block < 0) {
        break;
      }
      found[count++] = block;
    }
    return Arrays.copyOf(found, count);
  }

  /** Whether blocks for every token the sequence has are free; output to come is not counted. */
  private boolean fits(Sequence sequence, int[] hits) {
    int needed = blocksFor(sequence.tokens) - hits.length;
    for (int block : hits) {
      needed += pool.isFree(block) ? 1 : 0;
    }
    int watermark = running.isEmpty() ? 0 : settings.watermarkBlocks();
    return needed + watermark <= pool.freeCount();
  }

  private boolean grow(Sequence sequence, int newTokens, long nowNanos) {
    int end = sequence.computedTokens + newTokens;
    int needed = blocksFor(end) - sequence.blockCount;
    if (needed > pool.freeCount()) {
      return false;
    }
    for (int i = 0; i < needed; i++) {
      sequence.addBlock(pool.take(nowNanos));
    }
    int fullBlocks = Math.min(end, sequence.tokens) / settings.blockSize();
    while (sequence.registeredBlocks < fullBlocks) {
      int block = sequence.registeredBlocks++;
      pool.register(sequence.blocks[block], sequence.blockHash(block));
    }
    return true;
  }

  private int blocksFor(int tokens) {
    return (tokens + settings.blockSize() - 1) / settings.blockSize();
  }

  private Sequence victim() {
    return switch (settings.policy()) {
      case FCFS -> running.getLast();
      case PRIORITY -> leastUrgent();
    };
  }

  private Sequence leastUrgent() {
    return Collections.max(
        running,
        Comparator.<Sequence>comparingInt(one -> one.priority)
            .thenComparingLong(one -> one.arrivalNanos));
  }

  private void preempt(Sequence victim, int victimIndex) {
    running.remove(victimIndex);
    if (victim.scheduledTokens > 0) {
      scheduled.remove(victim);
      budget += victim.scheduledTokens;
      victim.scheduledTokens = 0;
    }
    pool.release(victim.blocks, victim.blockCount);
    victim.dropBlocks();
    victim.computedTokens = 0;
    victim.draftedTokens = 0;
    victim.preemptions++;
    victim.untoldPreemptions++;
    victim.status = Sequence.Status.PREEMPTED;
    waiting.putBack(victim);
  }

  /** Whether the step just scheduled prefills a sequence that has no output yet. */
  boolean computesPrompts() {
    return scheduled.stream().anyMatch(sequence -> sequence.outputTokens() == 0);
  }

  private StepOutput.Output emit(Sequence sequence) {
    int drafted = sequence.computedTokens - sequence.tokens;
    int accepted = drafter.accept(sequence, drafted);
    // The keys and values of the tokens after the first wrong one are void.
    sequence.computedTokens -= drafted - accepted;
    int[] made = new int[1 + accepted];
    int count = 0;
    FinishReason reason = null;
    while (count < made.length && reason == null) {
      made[count] = tokens.next(sequence);
      sequence.append(made[count]);
      reason = finishReason(sequence, made[count++]);
    }
    sequence.draftedTokens = settings.speculation().tokens();
    boolean isFirst = !sequence.isPrefillTold;
    sequence.isPrefillTold = true;
    int untold = sequence.untoldPreemptions;
    sequence.untoldPreemptions = 0;
    return new StepOutput.Output(
        sequence, Arrays.copyOf(made, count), reason, untold, isFirst);
  }

  /** Why a sequence ends with the token it just got; {@code null} if it goes on. */
  private FinishReason finishReason(Sequence sequence, int token) {
    boolean isEnd = tokens.isEnd(token) && !sequence.limits.ignoreEos();
    boolean isStop = isEnd || sequence.limits.stopTokens().contains(token);
    if (isStop && sequence.outputTokens() > sequence.limits.minTokens()) {
      return FinishReason.STOP;
    }
    boolean isFull =
        sequence.outputTokens() >= sequence.limits.maxTokens()
            || sequence.tokens >= settings.maxModelLen();
    return isFull ? FinishReason.LENGTH : null;
  }

  private void finish(Sequence sequence) {
    sequence.status = Sequence.Status.FINISHED;
    pool.release(sequence.blocks, sequence.blockCount);
    sequence.dropBlocks();
    isFlushNeeded = true;
  }

  private StepOutput.Statistics takeStatistics() {
    StepOutput.Statistics statistics =
        new StepOutput.Statistics(
            running.size(),
            waiting.size(),
            pool.usage(),
            prefixQueries,
            prefixHits,
            lifetimes.drain(),
            drafter.drain());
    prefixQueries = 0;
    prefixHits = 0;
    return statistics;
  }
}
