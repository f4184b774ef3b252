package tallystick.experiment.capacity;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import tallystick.answer.Answer;
import tallystick.answer.AnswerStatus;
import tallystick.answer.Decision;
import tallystick.answer.Invocation;
import tallystick.answer.Mark;
import tallystick.answer.Section;
import tallystick.answer.Tone;
import tallystick.experiment.Budget;
import tallystick.experiment.JointObjective;
import tallystick.experiment.JournalEntry;
import tallystick.experiment.TrustWords;

/**
 * A search that has ended. What all ends say is said here; the verdict, what to do next and the
 * figures that differ are said by its {@link CapacityAnswer}.
 *
 * @param scenario its name
 * @param unit what a rate counts: {@code requests/s}, or {@code sessions/s}
 * @param engine in words
 * @param objective what a rate had to hold
 * @param budget time for all probes
 * @param sizing what is asked of a fleet
 * @param answer how it ended
 * @param probes all that were played
 * @param forecast what a profile predicted; empty where none was asked
 * @param ceiling what the engine completes at most, or why that is not known
 */
record CapacityEnd(
    String scenario,
    String unit,
    String engine,
    JointObjective objective,
    Budget budget,
    FleetSizing sizing,
    CapacityAnswer answer,
    List<ProbeResult> probes,
    Optional<PredictedSearch> forecast,
    Optional<Ceiling> ceiling)
    implements Decision {
  @Override
  public Answer answer(Invocation typed) {
    double elapsed = JournalEntry.elapsedSeconds(probes);
    CapacityAnswer.Statement said =
        answer.statement(
            new CapacityAnswer.Asked(
                objective.words(), objective.things(), unit, requestsPerSession(),
                sizing.isAsked(), elapsed),
            typed);
    AnswerStatus outcome = said.ending().outcome();
    ProbeTrust trust = new ProbeTrust(atRates(), objective.share(), engine);
    Answer.Builder says =
        Answer.of("capacity")
            .subject(TrustWords.subject(scenario, engine))
            .subject(new Mark(Tone.PLAIN, budget.used(elapsed)));
    says.say(outcome.tone(), said.ending().word(), said.verdict());
    said.ending().strength().ifPresent(says::strength);
    trust.lowestFailure().ifPresent(words -> says.say(Tone.PLAIN, "WHY", words));
    ceiling.ifPresent(one -> says.say(Tone.PLAIN, "CEILING", one.words()));
    sustained().ifPresent(one -> says.say(Tone.CAUTION, "SUSTAINED", one.words(unit)));
    says.trust(Tone.PLAIN, trust.words());
    forecast.ifPresent(one -> says.say(Tone.PLAIN, "FORECAST", one.words(answer, unit)));
    fleet().forEach(words -> says.say(Tone.PLAIN, sizing.head(), words));
    energyWords().ifPresent(words -> says.say(Tone.PLAIN, "ENERGY", words));
    ProbeTable table = new ProbeTable(unit, atRates(), objective.share(), forecast);
    table.about(answer).ifPresent(says::block);
    new ProbePlots(unit, objective, atRates(), answer).section().ifPresent(says::detail);
    table.whole().ifPresent(all -> says.detail(Section.of("probes", "Every probe", all)));
    return says
        .next(said.next())
        .suite("capacity", "", elapsed)
        .figures("capacity.json", figures(said, elapsed))
        .comesTo(outcome);
  }

  /** All probes but closed loops. */
  private List<ProbeResult> atRates() {
    return probes.stream().filter(one -> !one.isBurst()).toList();
  }

  private Optional<SustainedRate> sustained() {
    return SustainedRate.of(
        probes, objective.share(),
        ceiling.map(Ceiling::perSecond).orElse(Double.POSITIVE_INFINITY));
  }

  private List<String> fleet() {
    if (!sizing.isAsked()) {
      return List.of();
    }
    OptionalDouble capacity = answer.provenPerSecond();
    if (capacity.isEmpty()) {
      return List.of("n/a: no rate is proven to hold");
    }
    double proven = capacity.getAsDouble();
    return Stream.concat(
            Stream.of(sizing.words(proven, tokensPerRequest())),
            sizing.trafficWords(proven).stream())
        .filter(words -> !words.isEmpty())
        .toList();
  }

  private Optional<String> energyWords() {
    Optional<String> known = energy().map(TokenEnergy::words);
    String why =
        answer.provenPerSecond().isEmpty()
            ? "no rate is proven to hold"
            : "output tokens were not counted";
    return known.isPresent() || sizing.watts().isEmpty() ? known : Optional.of("n/a: " + why);
  }

  /** Energy of an output token at the proven rate; empty where nobody measured or declared it. */
  private Optional<TokenEnergy> energy() {
    OptionalDouble proven = answer.provenPerSecond();
    return proven.isEmpty()
        ? Optional.empty()
        : TokenEnergy.of(atRates(), sizing.watts(), proven.getAsDouble(), tokensPerRequest());
  }

  /** Requests of a session, as they were sent; 0 where requests come alone. */
  private double requestsPerSession() {
    return mean(one -> one.figures().requestsPerSession());
  }

  /** Mean output tokens of a request; 0 where nobody counted them. */
  private double tokensPerRequest() {
    return mean(one -> one.load().tokensPerRequest());
  }

  /**
   * Over the probes at a rate that count and tell it; 0 where none does. A user of a closed loop
   * sends many requests.
   */
  private double mean(ToDoubleFunction<ProbeResult> figure) {
    return atRates().stream()
        .filter(ProbeResult::isTrusted)
        .mapToDouble(figure)
        .filter(value -> value > 0)
        .average()
        .orElse(0);
  }

  private CapacityFigures figures(CapacityAnswer.Statement said, double elapsedSeconds) {
    OptionalDouble proven = answer.provenPerSecond();
    return new CapacityFigures(
        CapacityFigures.FORMAT, scenario, unit, requestsPerSession(), engine, said.ending(),
        objective.words(), objective.share(), CapacitySearch.CONFIDENCE,
        ceiling.map(Ceiling::perSecond).filter(Double::isFinite).orElse(null),
        sustained().map(SustainedRate::perSecond).orElse(null), said.figures(),
        proven.isEmpty() ? null : sizing.figures(proven.getAsDouble(), tokensPerRequest()),
        energy().map(TokenEnergy::figures).orElse(null),
        forecast.map(one -> one.figures(answer, unit)).orElse(null), elapsedSeconds, probes);
  }
}
