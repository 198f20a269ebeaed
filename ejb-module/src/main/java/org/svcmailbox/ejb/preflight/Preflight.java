package org.svcmailbox.ejb.preflight;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.core.problem.StartException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.RendezvousSettings;
import org.svcmailbox.core.settings.RendezvousSettings.Pem;
import org.svcmailbox.core.settings.SettingsException;
import org.svcmailbox.ejb.cluster.PeerTrust;
import org.svcmailbox.ejb.settings.StartSettings;

/**
 * Checks whatever would let the server start without a listener or without messages: the settings,
 * the files that they name, the server's keystore and the broker's page folders. It connects to
 * PostgreSQL, too. A start script runs it once and sources the file that it writes.
 */
public final class Preflight {
  /** The exit code of a configuration error in systemd and sysexits; the server uses it too. */
  static final int REFUSED = 78;

  /** The start lacks something outside the server, so a later one can succeed. */
  static final int UNAVAILABLE = 69;

  private static final int PASSWORD_BYTES = 24;

  private final Map<String, String> environment;
  private final Path data;
  private final List<String> arguments;

  /**
   * @param data the data directory, with the service's own directory in it
   * @param arguments the server's; their system properties override the environment
   */
  Preflight(Map<String, String> environment, Path data, List<String> arguments) {
    this.environment = environment;
    this.data = data;
    this.arguments = arguments;
  }

  /**
   * Writes {@code NAME='value'} lines for a shell: {@code TLS_KEYSTORE_TYPE} of a server with TLS,
   * and {@code RENDEZVOUS_ENABLED}. If that is true, {@code RENDEZVOUS_ADDRESS}, {@code _PORT},
   * {@code _MAX_CONNECTIONS} and {@code _TLS_MIN_VERSION} follow, and for PEM files {@code
   * RENDEZVOUS_KEYSTORE} and {@code _KEYSTORE_PASSWORD}. A refused start prints one line for each
   * reason on standard error, writes no file and exits with 78, or with 69 if a later one can
   * succeed.
   *
   * @param args the file to write, the data directory, then the server's arguments
   */
  public static void main(String[] args) throws IOException {
    List<String> all = List.of(args);
    int code =
        new Preflight(System.getenv(), Path.of(all.get(1)), all.subList(2, all.size()))
            .run(Path.of(all.get(0)), System.err);
    if (code != 0) {
      System.exit(code);
    }
  }

  int run(Path file, PrintStream err) throws IOException {
    try {
      List<String> lines = new ArrayList<>();
      variables().forEach((name, value) -> lines.add(name + "=" + quoted(value)));
      Files.write(file, lines);
      return 0;
    } catch (SettingsException e) {
      e.violations().forEach(violation -> err.println("mailbox: " + violation));
    } catch (RefusedStartException e) {
      err.println("mailbox: " + e.getMessage());
    } catch (StartException e) {
      err.println("mailbox: " + e.getMessage());
      return e.isFinal() ? REFUSED : UNAVAILABLE;
    }
    return REFUSED;
  }

  private Map<String, String> variables() throws IOException {
    MailboxSettings settings = StartSettings.load(environment, arguments);
    RendezvousSettings door = settings.rendezvous();
    Optional<Pem> pem = door.listener().pem().filter(given -> door.enabled());
    List<String> unusable = new ArrayList<>();
    settings.broker().map(BrokerFiles::violations).ifPresent(unusable::addAll);
    pem.map(PemFiles::violations).ifPresent(unusable::addAll);
    settings.cluster().map(PeerTrust::violations).ifPresent(unusable::addAll);
    if (!unusable.isEmpty()) {
      throw new SettingsException(unusable);
    }
    DatabaseCheck.require(environment, settings.cluster().isPresent());
    Map<String, String> variables = new LinkedHashMap<>();
    String keystore = environment.get(ServerKeyStore.VARIABLE);
    if (keystore != null && !keystore.isEmpty()) {
      variables.put("TLS_KEYSTORE_TYPE", ServerKeyStore.type(Path.of(keystore), tlsPassword()));
    }
    Path paging = data.resolve("activemq/paging");
    if (Files.isDirectory(paging)) {
      PageFolderRepair.repair(paging);
    }
    variables.put("RENDEZVOUS_ENABLED", Boolean.toString(door.enabled()));
    if (door.enabled()) {
      listener(door.listener(), variables);
    }
    if (pem.isPresent()) {
      keystore(pem.get(), variables);
    }
    return variables;
  }

  private char[] tlsPassword() {
    return environment.getOrDefault("MAILBOX_TLS_PASSWORD", "").toCharArray();
  }

  private static void listener(
      RendezvousSettings.Listener listener, Map<String, String> variables) {
    variables.put("RENDEZVOUS_ADDRESS", listener.address().getAddress().getHostAddress());
    variables.put("RENDEZVOUS_PORT", Integer.toString(listener.address().getPort()));
    variables.put("RENDEZVOUS_MAX_CONNECTIONS", Integer.toString(listener.maxConnections()));
    variables.put("RENDEZVOUS_TLS_MIN_VERSION", listener.tlsVersion());
  }

  /** The server cannot read PEM. The keystore and its password are for this start only. */
  private void keystore(Pem pem, Map<String, String> variables) {
    byte[] password = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(password);
    String text = HexFormat.of().formatHex(password);
    Path keystore = data.resolve("mailbox/rendezvous.p12").toAbsolutePath();
    PemKeyStore.make(pem.certificate(), pem.key(), keystore, text.toCharArray());
    variables.put("RENDEZVOUS_KEYSTORE", keystore.toString());
    variables.put("RENDEZVOUS_KEYSTORE_PASSWORD", text);
  }

  /** Quotes for a POSIX shell. */
  private static String quoted(String value) {
    return "'" + value.replace("'", "'\\''") + "'";
  }
}
