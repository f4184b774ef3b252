package tallystick.experiment.fit;
import java.nio.file.*; import java.util.*; import tallystick.runrecord.*; import tallystick.simengine.*; import tallystick.virtualrun.*;
public class LiveProbe {
  public static void main(String[] a) throws Exception {
    ProfileFitting f = new ProfileFitting(); int i=0; List<String> check=new ArrayList<>();
    for (; i<a.length && !a[i].equals("--"); i++) f.add(rows(a[i]), 2048);
    FittedProfile p = f.fit("probe"); System.out.print(p.text());
    Path out=Path.of("target/probe.properties"); Files.writeString(out,p.text());
    for (i++; i<a.length; i++) {
      EngineSettings s=EngineSettings.ofFlags(Map.of("profile",out.toString(),"num-gpu-blocks-override",System.getProperty("blocks","140"),"block-size","32","max-num-seqs",System.getProperty("seqs","32")));
      List<RequestRow> r=rows(a[i]); long t=System.nanoTime();
      System.out.println(a[i].replaceAll(".*/","")+" "+Prediction.of(r, VirtualReplay.of(r,s,100_000)).stream().map(x->String.format("%s %.2f/%.2f %+.0f%%",x.quantity(),1e3*x.measured(),1e3*x.predicted(),100*x.off())).toList()+" "+(System.nanoTime()-t)/1000000+" ms");
    }
  }
  static List<RequestRow> rows(String f) throws Exception { List<RequestRow> l=new ArrayList<>(); RecordReader.open(Path.of(f)).eachRequest(l::add); return l; }
}
