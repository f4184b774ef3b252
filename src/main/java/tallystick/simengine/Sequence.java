package tallystick.simengine;

import java.util.Arrays;
import java.util.Set;

/**
 * One sequence inside the scheduler: a prompt, the output so far, and the blocks that hold both.
 *
 * <p>Tokens themselves are not kept. Each full block of them is folded into a 64-bit hash chained
 * to the block before, which is all the prefix cache compares.
 */
final class Sequence {
  /** A moment that has not come. */
  static final long NEVER = Long.MIN_VALUE;

  /** Where a sequence is. */
  enum Status {
    WAITING,
    RUNNING,
    PREEMPTED,
    FINISHED
  }

  final long id;
  final SamplingLimits limits;
  final int promptTokens;
  final int priority;
  final long arrivalNanos;
  private final int blockSize;

  Status status = Status.WAITING;
  long queuedNanos = NEVER;
  long scheduledNanos = NEVER;

  /** Prompt and output tokens known so far. */
  int tokens;

  /** Tokens whose keys and values are, or in this step become, part of the cache. */
  int computedTokens;

  /** Tokens the step in progress computes; 0 if it is not part of the step. */
  int scheduledTokens;

  /** Tokens a drafter has guessed for the next step; they follow the known ones. */
  int draftedTokens;

  int preemptions;

  /** Preemptions that no output has told the front end yet. */
  int untoldPreemptions;

  /** Prompt tokens found in the cache at the first admission. */
  int cachedTokens;

  boolean isPrefillTold;

  int[] blocks = new int[8];
  int blockCount;
  int registeredBlocks;

  private long[] blockHashes = new long[8];
  private int hashCount;
  private long openHash;

  Sequence(long id, int[] prompt, SamplingLimits limits, Admission admission, int blockSize) {
    this.id = id;
    this.limits = limits;
    this.promptTokens = prompt.length;
    this.priority = admission.priority();
    this.arrivalNanos = admission.arrivalNanos();
    this.blockSize = blockSize;
    for (int token : prompt) {
      append(token);
    }
  }

  /**
   * What decides the order of admission.
   *
   * @param priority lower is served first under the priority policy
   * @param arrivalNanos when the request reached the server
   */
  record Admission(int priority, long arrivalNanos) {}

  /**
   * When a sequence ends.
   *
   * @param maxTokens most output tokens
   * @param minTokens output tokens before an end token or stop string counts
   * @param ignoreEos whether no end token is made
   * @param stopTokens tokens that end it like the end token
   */
  record SamplingLimits(
      int maxTokens, int minTokens, boolean ignoreEos, Set<Integer> stopTokens) {
    SamplingLimits {
      stopTokens = Set.copyOf(stopTokens);
    }
  }

  /** Adds a token to the end; a block it fills gets its hash. */
  void append(int token) {
    openHash = mix(openHash, token);
    tokens++;
    if (tokens % blockSize == 0) {
      if (hashCount == blockHashes.length) {
        blockHashes = Arrays.copyOf(blockHashes, hashCount * 2);
      }
      blockHashes[hashCount++] = openHash;
    }
  }

  int outputTokens() {
    return tokens - promptTokens;
  }

  long blockHash(int index) {
    return blockHashes[index];
  }

  void addBlock(int block) {
    if (blockCount == blocks.length) {
      blocks = Arrays.copyOf(blocks, blockCount * 2);
    }
    blocks[blockCount++] = block;
  }

  void dropBlocks() {
    blockCount = 0;
    registeredBlocks = 0;
  }

  boolean isFinished() {
    return status == Status.FINISHED;
  }

  /** A bijective mixing of the running hash with a token. */
  private static long mix(long hash, int token) {
    return mixed(hash + 0x9E3779B97F4A7C15L + token * 0xD1B54A32D192ED03L);
  }

  /** The finalizer of SplitMix64. */
  static long mixed(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
