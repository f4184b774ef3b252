package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What must hold at every step of every workload, whatever is asked of the engine. */
class SchedulerInvariantsTest {
  private static final int WORKLOADS = 10_000;

  @Test
  void holdOverTenThousandRandomWorkloads() {
    long preemptions = 0;
    long hits = 0;
    for (int seed = 0; seed < WORKLOADS; seed++) {
      Workload workload = new Workload(seed);
      workload.play();
      preemptions += workload.preemptions;
      hits += workload.hits;
    }
    assertThat(preemptions).as("workloads preempt").isGreaterThan(WORKLOADS);
    assertThat(hits).as("workloads share prefixes").isGreaterThan(WORKLOADS);
  }

  /** One random engine and what is asked of it. */
  private static final class Workload {
    final int seed;
    final SplittableRandom random;
    final SchedulerSettings settings;
    final Scheduler scheduler;
    final List<Sequence> sequences = new ArrayList<>();
    final Map<Long, Integer> emitted = new HashMap<>();
    final Set<Long> aborted = new HashSet<>();
    final List<Long> admitted = new ArrayList<>();
    long now;
    long preemptions;
    long hits;

    Workload(int seed) {
      this.seed = seed;
      random = new SplittableRandom(seed);
      int blockSize = 1 + random.nextInt(6);
      int blocks = 6 + random.nextInt(30);
      settings =
          new SchedulerSettings(
              1 + random.nextInt(8),
              1 + random.nextInt(40),
              blocks,
              blockSize,
              (blocks - 1) * blockSize,
              random.nextInt(3) == 0 ? 1 + random.nextInt(8) : 0,
              random.nextInt(5) > 0,
              random.nextInt(4) == 0 ? 0.1 : 0,
              random.nextInt(4) == 0 ? SchedulingPolicy.PRIORITY : SchedulingPolicy.FCFS,
              1,
              new Speculation(random.nextInt(2) * random.nextInt(5), random.nextDouble()));
      StepTimeProfile profile =
          new StepTimeProfile("test", 10, 1, 0, 1, 0, StepTimeProfile.ApiServerTime.NONE, 0);
      scheduler = new Scheduler(settings, profile, new TokenSource(seed, 0), seed);
    }

    void play() {
      int requests = 1 + random.nextInt(14);
      int steps = 0;
      while (sequences.size() < requests || scheduler.hasWork()) {
        arrive(requests);
        step();
        steps++;
        hold(steps < 20_000, "a workload comes to an end");
      }
      for (Sequence sequence : sequences) {
        if (!aborted.contains(sequence.id)) {
          int room = settings.maxModelLen() - sequence.promptTokens;
          assertThat(emitted.getOrDefault(sequence.id, 0))
              .as("seed %d: every token is emitted", seed)
              .isEqualTo(Math.min(sequence.limits.maxTokens(), room));
        }
        preemptions += sequence.preemptions;
      }
      assertThat(scheduler.pool().freeCount()).isEqualTo(settings.numGpuBlocks() - 1);
      assertThat(scheduler.pool().usage()).isZero();
    }

    void arrive(int requests) {
      while (sequences.size() < requests && (random.nextInt(3) > 0 || !scheduler.hasWork())) {
        int length = 1 + random.nextInt(Math.max(1, settings.maxModelLen() / 2));
        Sequence sequence =
            new Sequence(
                sequences.size(),
                EngineRun.prompt(length, random.nextInt(3)),
                new Sequence.SamplingLimits(1 + random.nextInt(20), 0, true, Set.of()),
                new Sequence.Admission(random.nextInt(3), now),
                settings.blockSize());
        sequences.add(sequence);
        scheduler.add(sequence, now);
      }
    }

    void step() {
      long begin = now;
      now += 1 + scheduler.schedule(now);
      checkAdmissions(begin);
      checkBudget();
      checkBlocks();
      if (random.nextInt(12) == 0) {
        Sequence victim = sequences.get(random.nextInt(sequences.size()));
        if (!victim.isFinished()) {
          aborted.add(victim.id);
        }
        scheduler.abort(victim);
      }
      StepOutput output = scheduler.finishStep(now);
      Set<Long> seen = new HashSet<>();
      for (StepOutput.Output one : output.outputs()) {
        hold(seen.add(one.sequence().id), "one output a step");
        int most = 1 + settings.speculation().tokens();
        hold(one.tokens().length >= 1 && one.tokens().length <= most, "what was drafted, and one");
        hold(!aborted.contains(one.sequence().id), "an aborted sequence is silent");
        int made = one.tokens().length;
        int count = emitted.merge(one.sequence().id, made, Integer::sum);
        hold(one.sequence().outputTokens() == count, "no token twice, none lost");
        hold(one.isFirst() == (count == made), "the prefill is told once");
      }
      hits += output.statistics().prefixHits();
      checkBlocks();
    }

    void checkAdmissions(long begin) {
      for (Sequence sequence : scheduler.running()) {
        if (sequence.scheduledNanos == begin && sequence.preemptions == 0) {
          admitted.add(sequence.id);
        }
      }
      boolean isFcfs = settings.policy() == SchedulingPolicy.FCFS;
      for (int i = 1; isFcfs && i < admitted.size(); i++) {
        hold(admitted.get(i - 1) < admitted.get(i), "first come, first admitted");
      }
    }

    void checkBudget() {
      int total = 0;
      for (Sequence sequence : scheduler.scheduled()) {
        hold(sequence.scheduledTokens > 0, "what is scheduled computes something");
        total += sequence.scheduledTokens;
      }
      hold(total <= settings.maxNumBatchedTokens(), "the token budget is kept");
      hold(scheduler.running().size() <= settings.maxNumSeqs(), "max-num-seqs is kept");
    }

    /** Every usable block is free or held, and held by just the sequences that run. */
    void checkBlocks() {
      Set<Integer> held = new HashSet<>();
      for (Sequence sequence : scheduler.running()) {
        int needed =
            (sequence.computedTokens + settings.blockSize() - 1) / settings.blockSize();
        hold(sequence.blockCount >= needed, "every computed token has a block");
        for (int i = 0; i < sequence.blockCount; i++) {
          held.add(sequence.blocks[i]);
        }
      }
      hold(!held.contains(0), "the null block is never given out");
      hold(scheduler.pool().heldCount() == held.size(), "blocks are held by what runs");
      hold(
          scheduler.pool().freeCount() + held.size() == settings.numGpuBlocks() - 1,
          "no block is lost");
    }

    void hold(boolean isTrue, String rule) {
      if (!isTrue) {
        throw new AssertionError("seed " + seed + ": " + rule);
      }
    }
  }
}
