package tallystick.scrape;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.naming.Context;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;
import javax.naming.directory.Attribute;
import javax.naming.directory.InitialDirContext;
import tallystick.reach.ServerUrl;
import tallystick.reach.ServerUrl.Use;
import tallystick.scenario.ScenarioException;
import tallystick.scenario.Target;
import tallystick.scenario.TargetFile;
import tallystick.scenario.TargetList;

/** Reads the list of engines behind a run's target, as it stands at this moment. */
public record ListedTargets(TargetList list) {
  private static final String DNS_TIMEOUT_MILLIS = "2000";
  private static final String DNS_RETRIES = "2";

  /**
   * The engines that are listed now, each once.
   *
   * @throws IOException if the list cannot be read, or not whole; its message is fit for a reader
   */
  public List<Target> read() throws IOException {
    return list.srv().isEmpty() ? ofFile(Path.of(list.file())) : ofRecords();
  }

  private static List<Target> ofFile(Path file) throws IOException {
    try {
      return TargetFile.read(file);
    } catch (ScenarioException e) {
      throw new IOException(e.getMessage(), e);
    } catch (NoSuchFileException e) {
      throw new IOException(file + ": there is no such file", e);
    } catch (IOException e) {
      throw new IOException(
          file + (Files.isDirectory(file) ? ": a folder, not a file" : ": cannot be read"), e);
    }
  }

  /** Records that name no host and port that can be asked make the answer unfit as a whole. */
  private List<Target> ofRecords() throws IOException {
    Map<String, Target> targets = new TreeMap<>();
    for (String record : records()) {
      String[] parts = record.trim().split("\\s+");
      String host = parts.length == 4 ? parts[3].replaceFirst("\\.$", "") : "";
      boolean isWhole =
          parts.length == 4 && parts[2].matches("\\d{1,5}") && !host.isEmpty()
              && ServerUrl.faultOf("http://" + host + ":" + parts[2], Use.TARGET).isEmpty();
      if (!isWhole) {
        throw new IOException(list.words() + ": one of them names no host and port");
      }
      Target target = TargetFile.at(host, Integer.parseInt(parts[2]));
      targets.put(target.url(), target);
    }
    return List.copyOf(targets.values());
  }

  private List<String> records() throws IOException {
    Hashtable<String, String> settings = new Hashtable<>();
    settings.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
    settings.put(Context.PROVIDER_URL, "dns://" + list.dns());
    settings.put("com.sun.jndi.dns.timeout.initial", DNS_TIMEOUT_MILLIS);
    settings.put("com.sun.jndi.dns.timeout.retries", DNS_RETRIES);
    List<String> records = new ArrayList<>();
    try {
      InitialDirContext context = new InitialDirContext(settings);
      try {
        Attribute found =
            context.getAttributes(list.srv(), new String[] {"SRV"}).get("SRV");
        NamingEnumeration<?> all = found == null ? null : found.getAll();
        while (all != null && all.hasMore()) {
          records.add(all.next().toString());
        }
      } finally {
        context.close();
      }
    } catch (NoInitialContextException e) {
      throw new IOException(
          list.words() + ": this Java lacks jdk.naming.dns, which asks for them: run tally's zip or"
              + " image, or list the engines in targets_file", e);
    } catch (NamingException e) {
      String server = list.dns().isEmpty() ? "the system's DNS" : "DNS at " + list.dns();
      throw new IOException(
          list.words() + ": " + server + " does not tell them (" + e.getMessage() + ")", e);
    }
    return records;
  }
}
