package tallystick.experiment;
import java.util.*;
class CapacityGoals {
  static SimulatedBench world(int w) {
    return switch (w) {
      case 0 -> new SimulatedBench(0.25, 0.05, 350, 60, Map.of("max-num-seqs","16"));
      case 1 -> new SimulatedBench(0.5, 0.03, 200, 40, Map.of("max-num-seqs","8"));
      case 2 -> new SimulatedBench(1.0, 0.05, 600, 80, Map.of("max-num-seqs","32","num-gpu-blocks-override","900"));
      case 4 -> new SimulatedBench(0.25, 0.03, 350, 60, Map.of());
      case 5 -> new SimulatedBench(0.5, 0.03, 500, 150, Map.of());
      default -> new SimulatedBench(0.1, 0.02, 350, 60, Map.of("max-num-seqs","24"));
    };
  }
  static double bad(int w, double rate, double secs, long seed) {
    ProbeResult r = world(w).play(new Probe(1, Probe.Purpose.NARROW, rate, 60, secs, seed));
    return 1 - r.goodShare();
  }
  public static void main(String[] a) {
    if (a[0].equals("scan")) {
      for (int w = Integer.getInteger("w", 0); w < 6; w++) {
        for (double r : new double[]{8,12,16,20,24,28,32,36,40}) {
          long t = System.nanoTime();
          ProbeResult p = world(w).play(new Probe(1, Probe.Purpose.NARROW, r, 60, 240, 5));
          System.out.printf(Locale.ROOT, "w%d r%.1f bad %.4f inflight %.1f over %s %.2fs%n", w, r, 1-p.goodShare(), p.load().meanInFlight(), p.load().overloaded(), (System.nanoTime()-t)/1e9);
          if (p.load().overloaded()) break;
        }
      }
      return;
    }
    if (a[0].equals("noise")) {
      int w = Integer.parseInt(a[1]); double r = Double.parseDouble(a[2]); double secs = Double.parseDouble(a[3]); int k = Integer.parseInt(a[4]);
      double m=0, q=0; StringBuilder each = new StringBuilder();
      for (int j=0;j<k;j++){ ProbeResult p = world(w).play(new Probe(1, Probe.Purpose.NARROW, r, 30, secs, 5000+1000L*j)); double b=1-p.goodShare(); m+=b/k; q+=b*b/k; each.append(String.format(Locale.ROOT," %.3f",b)); }
      System.out.printf(Locale.ROOT,"w%d r%.2f %.0fs mean %.4f cv %.3f: %s%n", w,r,secs,m,Math.sqrt(q-m*m)/m, each); return; }
    if (a[0].equals("truth")) {
      int w = Integer.parseInt(a[1]); double lo = Double.parseDouble(a[2]), hi = Double.parseDouble(a[3]); int k = Integer.parseInt(a[4]); double secs=Double.parseDouble(a[5]);
      for (int i = 0; i < k; i++) { double r = lo*Math.pow(hi/lo, i/(double)(k-1));
        double s=0; StringBuilder each=new StringBuilder(); for (int j=0;j<3;j++){ double b=bad(w,r,secs,900+j); s+=b/3; each.append(String.format(Locale.ROOT," %.4f",b)); }
        System.out.printf(Locale.ROOT,"w%d r%.3f bad %.4f (%s)%n",w,r,s,each); }
      return;
    }
    double budget = Double.parseDouble(a[1]);
    int from = Integer.parseInt(a[2]), to = Integer.parseInt(a[3]);
    double[] truth = {Double.parseDouble(a[4]), Double.parseDouble(a[5]), Double.parseDouble(a[6]), Double.parseDouble(a[7])};
    for (int s = from; s < to; s++) {
      int w = s % 4; long t0=System.nanoTime();
      double first = truth[w] * new double[]{0.4, 0.7, 1.3, 2}[(s/4)%4];
      CapacitySearch search = new CapacitySearch(new CapacitySearch.Question(0.99, first, 1e4, budget, 5, s));
      List<ProbeResult> done = new ArrayList<>();
      StringBuilder log = new StringBuilder();
      while (true) {
        CapacitySearch.Step step = search.next(done);
        if (step instanceof CapacitySearch.Step.Play p) { ProbeResult r = world(w).play(p.probe()); done.add(r);
          log.append(String.format(Locale.ROOT,"%s%.3f:%.2f ", p.probe().purpose().name().charAt(0), p.probe().perSecond()/truth[w], 100*(1-r.goodShare())));
        } else { CapacityAnswer ans = ((CapacitySearch.Step.Conclude) step).answer();
          double el = done.stream().mapToDouble(ProbeResult::elapsedSeconds).sum();
          RateCurve.Span sp = ans instanceof CapacityAnswer.Certified c ? c.span() : ans instanceof CapacityAnswer.Unproven u ? u.span() : new RateCurve.Span(0,0);
          double cert = ans instanceof CapacityAnswer.Certified c ? c.perSecond() : Double.NaN;
          System.out.printf(Locale.ROOT,"s%d w%d %s cert %.3f span %.3f..%.3f width %.3f holds %s probes %d simmin %.1f wall %.1f%n   %s%n", s,w,ans.getClass().getSimpleName(), cert/truth[w], sp.low()/truth[w], sp.high()/truth[w], sp.ratio()-1, sp.low()<=truth[w]&&sp.high()>=truth[w], done.size(), el/60, (System.nanoTime()-t0)/1e9, log);
          break; }
      }
    }
  }
}
