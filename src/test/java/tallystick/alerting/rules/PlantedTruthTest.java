package tallystick.alerting.rules;

import java.nio.file.*;
import java.util.*;
import org.junit.jupiter.api.Test;
import tallystick.alerting.VirtualRun;
import tallystick.alerting.backtest.*;
import tallystick.alerting.derivation.*;
import tallystick.analysis.prometheus.*;
import tallystick.scenario.Objective;

class PlantedTruthTest {
  static VirtualRun run(String mix, long seed) {
    int[] tokens = mix.equals("long-prompts") ? new int[] {400, 150} : mix.equals("long-answers") ? new int[] {150, 450} : new int[] {250, 250};
    double capacity = mix.equals("long-prompts") ? 17 : mix.equals("long-answers") ? 9.5 : 14;
    double[] shares = {0.4, 0.75, 0.9, 0.6, 1.06, 0.4, 0.97, 0.5, 1.12, 0.4, 0.85, 1.02, 0.4};
    double[] rates = Arrays.stream(shares).map(s -> s * capacity).toArray();
    return VirtualRun.of(new VirtualRun.Shape(mix + "-" + seed, mix, seed, tokens[0], tokens[1], rates, 480, 5, Map.of("enable-prefix-caching", "false")));
  }
  @Test
  void explore() throws Exception {
    long t0 = System.nanoTime();
    Objective slo = new Objective(Objective.Metric.TTFT, 1, 0.99, "");
    List<DerivationRun> runs = new ArrayList<>();
    for (String mix : List.of("long-prompts", "long-answers")) for (long seed = 1; seed <= 3; seed++) runs.add(DerivationRun.of(run(mix, seed), true));
    System.out.println("ran " + (System.nanoTime() - t0) / 1e9); t0 = System.nanoTime();
    DerivedAlerts derived = AlertDerivation.derive(runs, AlertRequest.usual(slo));
    System.out.println("derived " + (System.nanoTime() - t0) / 1e9); t0 = System.nanoTime();
    for (SignalOutcome o : derived.outcomes()) {
      if (o instanceof SignalOutcome.Derived d) System.out.println(d.signal() + " " + d.threshold() + " " + d.use() + " hold " + derived.holdMillis().get(d.signal()) + " " + d.evidence());
      else System.out.println(o);
    }
    RuleSet set = RuleBook.of(derived);
    Files.writeString(Path.of("/tmp/rules.yaml"), RuleSetText.prometheus(set));
    List<Backtest.RunTimeline> lines = new ArrayList<>();
    for (String mix : List.of("long-prompts", "long-answers", "even")) for (long seed = 11; seed <= 12; seed++) {
      Backtest.RunTimeline l = Backtest.replay(set.evaluable(), run(mix, seed), new Backtest.Conditions(slo, 15000, 15000, 30000, PrometheusVersion.V2_42, Map.of("cluster", "test")));
      lines.add(l);
      System.out.println(l.run() + " episodes " + l.episodes().stream().map(e -> e.onsetMillis() / 1000 + "-" + e.endMillis() / 1000).toList());
      for (Firing f : l.firings()) System.out.println("   " + f.alert() + " " + f.firedMillis() / 1000 + "-" + (f.resolvedMillis() == Firing.STILL ? "end" : f.resolvedMillis() / 1000));
    }
    for (AlertScore s : Backtest.scores(set.evaluable(), lines)) System.out.println(s + " p " + s.precision() + " r " + s.recall() + " " + s.timing());
    System.out.println("backtested " + (System.nanoTime() - t0) / 1e9);
  }
}
