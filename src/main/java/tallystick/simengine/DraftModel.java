package tallystick.simengine;

/**
 * What a drafter guesses right: of the tokens drafted for a sequence, those before the first wrong
 * one, which is a pure function of the seed, the sequence and its length.
 */
final class DraftModel {
  private final Speculation speculation;
  private final long seed;
  private int drafts;
  private int draftTokens;
  private int[] acceptedAt;

  DraftModel(Speculation speculation, long seed) {
    this.speculation = speculation;
    this.seed = seed;
    this.acceptedAt = new int[speculation.tokens()];
  }

  /** How many of the drafted tokens that come next the model keeps; none may be drafted. */
  int accept(Sequence sequence, int drafted) {
    if (drafted == 0) {
      return 0;
    }
    drafts++;
    draftTokens += drafted;
    int accepted = 0;
    while (accepted < drafted && share(sequence, accepted) < speculation.acceptance()) {
      acceptedAt[accepted]++;
      accepted++;
    }
    return accepted;
  }

  /** What came of the drafts since the last call. */
  StepOutput.Drafts drain() {
    StepOutput.Drafts all = new StepOutput.Drafts(drafts, draftTokens, acceptedAt);
    drafts = 0;
    draftTokens = 0;
    acceptedAt = new int[acceptedAt.length];
    return all;
  }

  /** A number in [0, 1) that depends on nothing but the place of the drafted token. */
  private double share(Sequence sequence, int position) {
    long place = sequence.tokens + (long) position;
    long z = ~seed + sequence.id * 0xD1B54A32D192ED03L + place * 0x9E3779B97F4A7C15L;
    return (Sequence.mixed(z) >>> 11) * 0x1.0p-53;
  }
}
