package org.svcmailbox.ejb.settings;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.RendezvousSettings;
import org.svcmailbox.core.settings.RendezvousSettings.Listener;
import org.svcmailbox.core.settings.SettingsException;
import org.svcmailbox.core.settings.SettingsLoader;

/**
 * Reads the settings before the server starts, as the server will, and tells the start script how
 * to configure the rendezvous listener. Runs on the EAR's jars, without a container.
 */
public final class CheckSettings {
  /** The exit code of a configuration error in systemd and sysexits; the server uses it too. */
  static final int REFUSED = 78;

  private static final Pattern PROPERTY = Pattern.compile("-D(mailbox\\.[^=]+)=(.*)");
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private final Map<String, String> environment;
  private final Map<String, String> properties = new HashMap<>();

  /**
   * @param arguments the server's; their system properties precede the environment
   */
  CheckSettings(Map<String, String> environment, List<String> arguments) {
    this.environment = environment;
    Stream.concat(
            BLANKS.splitAsStream(environment.getOrDefault("MAILBOX_JAVA_OPTS", "")),
            arguments.stream())
        .map(PROPERTY::matcher)
        .filter(Matcher::matches)
        .forEach(form -> properties.put(form.group(1), form.group(2)));
  }

  /**
   * Prints {@code NAME='value'} lines for a shell: {@code RENDEZVOUS_ENABLED}, and if that is true
   * {@code RENDEZVOUS_ADDRESS}, {@code _PORT}, {@code _MAX_CONNECTIONS}, {@code _TLS_MIN_VERSION},
   * {@code _CERT_PATH} and {@code _KEY_PATH}. The paths are absolute, or empty for the server's
   * certificate. Refused settings print one line each on standard error and nothing else, and exit
   * with 78.
   */
  public static void main(String[] args) {
    int code = new CheckSettings(System.getenv(), List.of(args)).run(System.out, System.err);
    if (code != 0) {
      System.exit(code);
    }
  }

  int run(PrintStream out, PrintStream err) {
    try {
      MailboxSettings settings = load();
      RendezvousSettings door = settings.rendezvous();
      List<String> unusable = new ArrayList<>();
      settings.broker().map(BrokerFiles::violations).ifPresent(unusable::addAll);
      if (door.enabled()) {
        unusable.addAll(unusable(door.listener()));
      }
      if (!unusable.isEmpty()) {
        throw new SettingsException(unusable);
      }
      lines(door).forEach((name, value) -> out.println(name + "=" + quoted(value)));
      return 0;
    } catch (SettingsException e) {
      e.violations().forEach(violation -> err.println("mailbox: " + violation));
      return REFUSED;
    }
  }

  private MailboxSettings load() {
    Map<String, String> file = SettingsFile.named(environment);
    Set<String> keys = new HashSet<>(file.keySet());
    keys.addAll(properties.keySet());
    keys.addAll(Variables.keys(environment.keySet()));
    return SettingsLoader.load(
        key -> given(key).or(() -> Optional.ofNullable(file.get(key))),
        keys,
        Runtime.getRuntime().availableProcessors(),
        Long.MAX_VALUE);
  }

  /** Empty means absent, as in MicroProfile Config. */
  private Optional<String> given(String key) {
    String property = properties.get(key);
    return Optional.ofNullable(property != null ? property : environment.get(Variables.of(key)))
        .filter(value -> !value.isEmpty());
  }

  private static List<String> unusable(Listener listener) {
    return listener.pem().map(PemFiles::violations).orElse(List.of());
  }

  private static Map<String, String> lines(RendezvousSettings door) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("RENDEZVOUS_ENABLED", Boolean.toString(door.enabled()));
    if (door.enabled()) {
      Listener listener = door.listener();
      lines.put("RENDEZVOUS_ADDRESS", listener.address().getAddress().getHostAddress());
      lines.put("RENDEZVOUS_PORT", Integer.toString(listener.address().getPort()));
      lines.put("RENDEZVOUS_MAX_CONNECTIONS", Integer.toString(listener.maxConnections()));
      lines.put("RENDEZVOUS_TLS_MIN_VERSION", listener.tlsVersion());
      lines.put("RENDEZVOUS_CERT_PATH", path(listener.pem().map(pem -> pem.certificate())));
      lines.put("RENDEZVOUS_KEY_PATH", path(listener.pem().map(pem -> pem.key())));
    }
    return lines;
  }

  private static String path(Optional<Path> file) {
    return file.map(path -> path.toAbsolutePath().toString()).orElse("");
  }

  /** Quotes for a POSIX shell. */
  private static String quoted(String value) {
    return "'" + value.replace("'", "'\\''") + "'";
  }
}
