package tallystick.plan;

import java.util.ArrayList;
import java.util.List;
import tallystick.scenario.Dataset;
import tallystick.scenario.Workload.Cancellation;
import tallystick.scenario.Workload.RequestClass;
import tallystick.scenario.Workload.SharedPrefixes;

/** Draws the requests of one class. */
final class ClassDraw {
  /** Prefixes of a class are numbered from its position times this. */
  static final long PREFIXES_PER_CLASS = 1_000_000_000L;

  /**
   * Added to the numbers of a data set's blocks in the warm-up: it may take the entries that are
   * measured later, and must not leave their blocks in the prefix cache. Prefixes that a scenario
   * asks for by {@code shared_prefix} are warm when the measured window begins.
   */
  static final long WARMUP_BLOCKS = PREFIXES_PER_CLASS / 2;

  private final RequestClass kind;
  private final ContentDraw content;
  private final LengthDraw turns;
  private final long firstPrefix;
  private final PauseDraw thinkTime;
  private final ToolDraw tools;
  private final AgentDraw agents;
  private final RandomStream prefixShare;
  private final RandomStream prefixGroup;
  private final RandomStream leaving;

  /**
   * Opens the streams of a class.
   *
   * @param position the class's place in the mix, which keeps its prefixes apart from the others'
   * @param part whose streams they are
   */
  ClassDraw(RequestClass kind, int position, long seed, PlanPart part) {
    String purpose = part.word() + "/" + kind.name() + "/";
    this.kind = kind;
    this.firstPrefix = position * PREFIXES_PER_CLASS;
    long firstBlock = firstPrefix + (part == PlanPart.WARMUP ? WARMUP_BLOCKS : 0);
    this.content = ContentDraws.of(kind.content(), firstBlock, seed, purpose);
    this.turns =
        LengthDraw.of(kind.conversation().turns(), RandomStream.of(seed, purpose + "turns"));
    this.thinkTime =
        PauseDraw.of(kind.conversation().thinkTime(), RandomStream.of(seed, purpose + "think"));
    this.tools = new ToolDraw(kind.conversation().tools(), seed, purpose);
    this.agents = new AgentDraw(kind.conversation().agents(), seed, purpose);
    this.prefixShare = RandomStream.of(seed, purpose + "prefix-share");
    this.prefixGroup = RandomStream.of(seed, purpose + "prefix-group");
    this.leaving = RandomStream.of(seed, purpose + "cancel");
  }

  double weight() {
    return kind.weight();
  }

  Draft next() {
    List<ContentDraw.Piece> pieces = content.next(turns.next());
    List<Draft.Turn> drafts = new ArrayList<>();
    int called = 0;
    for (ContentDraw.Piece piece : pieces) {
      boolean isFirst = drafts.isEmpty();
      Prompt prompt = isFirst ? withPrefix(piece.prompt()) : piece.prompt();
      long pause = isFirst ? 0 : pauseNanos(piece);
      int calls = tools.calls();
      for (int call = 0; call < calls; call++) {
        drafts.add(
            new Draft.Turn(
                prompt, tools.callTokens(), pause, cancel(), call > 0, Dataset.Link.PREVIOUS));
        prompt = tools.result();
        pause = tools.nanos();
      }
      Dataset.Link link = piece.link();
      int subAgents = agents.count();
      if (subAgents > 0) {
        drafts.add(
            new Draft.Turn(prompt, agents.callTokens(), pause, cancel(), calls > 0, link));
        link = new Dataset.Link(0, addSubAgents(drafts, subAgents, called));
        called += subAgents;
        prompt = agents.result();
        pause = 0;
      }
      drafts.add(
          new Draft.Turn(
              prompt, piece.outputTokens(), pause, cancel(),
              calls + subAgents > 0 || link.tool(), link));
    }
    return new Draft(kind.name(), kind.form().choices(), drafts);
  }

  /** Adds what so many sub-agents send, behind the request that calls them; their last places. */
  private List<Integer> addSubAgents(List<Draft.Turn> drafts, int count, int before) {
    int caller = drafts.size() - 1;
    List<Integer> last = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      drafts.addAll(agents.requests(before + i, caller, drafts.size()));
      last.add(drafts.size() - 1);
    }
    return last;
  }

  private long pauseNanos(ContentDraw.Piece piece) {
    return piece.pauseNanos() == Dataset.NO_PAUSE ? thinkTime.nanos() : piece.pauseNanos();
  }

  /** Later turns carry the history, and with it the prefix of the first. */
  private Prompt withPrefix(Prompt prompt) {
    SharedPrefixes shared = kind.prefixes();
    if (shared.groups() == 0 || !(prompt instanceof Prompt.Synthetic own)) {
      return prompt;
    }
    boolean hasPrefix = prefixShare.nextDouble() < shared.share();
    long id = firstPrefix + prefixGroup.nextIndex(shared.groups());
    if (!hasPrefix) {
      return prompt;
    }
    return new Prompt.Synthetic(
        own.tokens() + shared.tokens(), List.of(new SharedPrefix(id, shared.tokens())));
  }

  private PlannedRequest.Cancel cancel() {
    Cancellation rule = kind.cancellation();
    if (rule.share() == 0 || leaving.nextDouble() >= rule.share()) {
      return PlannedRequest.Cancel.NEVER;
    }
    return new PlannedRequest.Cancel(rule.afterNanos(), rule.afterTokens());
  }
}
