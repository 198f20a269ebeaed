package org.svcmailbox.core.settings;

import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_ALLOW;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_AUTH_MODE;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_AUTH_TOKENS;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_BLOCK;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_CERT_PATH;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_ENABLED;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_EVICTION_INTERVAL;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_FORWARDED_HEADER;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_GETS_PER_MINUTE;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_IDLE_MAILBOX_TTL;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_IPV6_PREFIX;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_KEY_PATH;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_LISTEN_ADDR;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_MAX_BYTES;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_MAX_CONNECTIONS;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_MAX_MAILBOXES;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_MAX_MESSAGE_SIZE;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_MAX_QUEUE_LENGTH;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_MAX_WAITING;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_MAX_WAITING_PER_ADDRESS;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_MAX_WAITING_PER_MAILBOX;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_MESSAGE_TTL;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_METRICS_FROM;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_MIN_VERSION;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_ORIGINS;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_POSTS_PER_MINUTE;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_SHUTDOWN_TIMEOUT;
import static org.svcmailbox.core.settings.Setting.RENDEZVOUS_WINDOW_SECONDS;
import static org.svcmailbox.core.settings.Setting.TRUSTED_PROXIES;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.settings.RendezvousSettings.Access;
import org.svcmailbox.core.settings.RendezvousSettings.Auth;
import org.svcmailbox.core.settings.RendezvousSettings.AuthMode;
import org.svcmailbox.core.settings.RendezvousSettings.Http;
import org.svcmailbox.core.settings.RendezvousSettings.Listener;
import org.svcmailbox.core.settings.RendezvousSettings.Mailboxes;
import org.svcmailbox.core.settings.RendezvousSettings.Pem;
import org.svcmailbox.core.settings.RendezvousSettings.Rates;
import org.svcmailbox.core.settings.RendezvousSettings.StaticToken;
import org.svcmailbox.core.settings.RendezvousSettings.Waiting;

/** Reads the rendezvous settings for {@link SettingsLoader}. */
final class RendezvousReader {
  /** {@code MAILBOX_TLS_KEYSTORE}, which the start script sets, as MicroProfile Config names it. */
  static final String SERVER_KEYSTORE = "mailbox.tls.keystore";

  static final int MAX_TOKENS = 64;
  static final int MAX_ORIGINS = 100;

  private static final Pattern ADDRESS = Pattern.compile("(?:\\[([^\\]]+)\\]|([^:]+)):(\\d{1,5})");
  private static final int MAX_PORT = 65_535;

  private static final Pattern TOKEN =
      Pattern.compile("(?:([0-9a-fA-F]{64})=)?([A-Za-z0-9._~+/-]{16,256}=*)");

  private static final Pattern ORIGIN =
      Pattern.compile("https?://(?:[A-Za-z0-9.-]+|\\[[0-9a-fA-F:.]+\\])(?::\\d{1,5})?");

  private static final List<String> TLS_VERSIONS = List.of("1.2", "1.3");
  private static final List<String> HEADERS = List.of("X-Forwarded-For", "Forwarded");

  private final SettingsLoader from;

  RendezvousReader(SettingsLoader from) {
    this.from = from;
  }

  RendezvousSettings read() {
    boolean isEnabled = from.flag(RENDEZVOUS_ENABLED);
    Listener listener = listener();
    Auth auth = auth();
    if (isEnabled) {
      requireSecrecy(listener, auth);
    }
    return new RendezvousSettings(
        isEnabled,
        listener,
        auth,
        mailboxes(),
        waiting(),
        rates(),
        access(),
        http(),
        from.duration(RENDEZVOUS_EVICTION_INTERVAL),
        from.duration(RENDEZVOUS_SHUTDOWN_TIMEOUT));
  }

  /**
   * Tokens must not cross a network in the clear, except behind a trusted proxy that speaks TLS.
   */
  private void requireSecrecy(Listener listener, Auth auth) {
    boolean isSecret =
        auth.mode() == AuthMode.DISABLED
            || listener.address().getAddress().isLoopbackAddress()
            || listener.pem().isPresent()
            || from.isGiven(SERVER_KEYSTORE)
            || !from.list(TRUSTED_PROXIES).isEmpty();
    if (!isSecret) {
      from.violation(
          "%s must be a loopback address, or needs %s, a server with TLS or %s: tokens must not be sent in the clear"
              .formatted(
                  RENDEZVOUS_LISTEN_ADDR.key(), RENDEZVOUS_CERT_PATH.key(), TRUSTED_PROXIES.key()));
    }
  }

  private Listener listener() {
    return new Listener(
        address(),
        from.count(RENDEZVOUS_MAX_CONNECTIONS),
        pem(),
        oneOf(RENDEZVOUS_MIN_VERSION, TLS_VERSIONS));
  }

  private InetSocketAddress address() {
    Optional<InetSocketAddress> read = address(from.text(RENDEZVOUS_LISTEN_ADDR));
    if (read.isEmpty()) {
      from.violation(RENDEZVOUS_LISTEN_ADDR.key() + " must be " + RENDEZVOUS_LISTEN_ADDR.bounds());
    }
    return read.or(() -> address(RENDEZVOUS_LISTEN_ADDR.byDefault())).orElseThrow();
  }

  private static Optional<InetSocketAddress> address(String text) {
    Matcher form = ADDRESS.matcher(text);
    if (!form.matches() || Integer.parseInt(form.group(3)) > MAX_PORT) {
      return Optional.empty();
    }
    int port = Integer.parseInt(form.group(3));
    Optional<InetAddress> host =
        IpRange.address(form.group(1) != null ? form.group(1) : form.group(2));
    return host.map(literal -> new InetSocketAddress(literal, port));
  }

  private Optional<Pem> pem() {
    Optional<Path> certificate = from.path(RENDEZVOUS_CERT_PATH);
    Optional<Path> key = from.path(RENDEZVOUS_KEY_PATH);
    if (certificate.isPresent() != key.isPresent()) {
      from.violation(
          RENDEZVOUS_CERT_PATH.key() + " and " + RENDEZVOUS_KEY_PATH.key() + " are given together");
    }
    return certificate.flatMap(chain -> key.map(secret -> new Pem(chain, secret)));
  }

  private String oneOf(Setting setting, List<String> known) {
    String value = from.text(setting);
    if (!known.contains(value)) {
      from.violation(setting.key() + " must be " + setting.bounds());
    }
    return value;
  }

  private Auth auth() {
    AuthMode mode = mode();
    List<StaticToken> tokens = tokens();
    if (mode == AuthMode.PER_MAILBOX
        && tokens.stream().anyMatch(token -> token.recipient().isEmpty())) {
      from.violation(
          "%s must be recipient=token with %s=per_mailbox"
              .formatted(RENDEZVOUS_AUTH_TOKENS.key(), RENDEZVOUS_AUTH_MODE.key()));
    }
    return new Auth(mode, tokens);
  }

  private AuthMode mode() {
    String value = from.text(RENDEZVOUS_AUTH_MODE);
    for (AuthMode mode : AuthMode.values()) {
      if (mode.name().toLowerCase(Locale.ROOT).equals(value)) {
        return mode;
      }
    }
    from.violation(RENDEZVOUS_AUTH_MODE.key() + " must be " + RENDEZVOUS_AUTH_MODE.bounds());
    return AuthMode.SERVER_WIDE;
  }

  /** Violations do not repeat the value. */
  private List<StaticToken> tokens() {
    List<StaticToken> tokens = new ArrayList<>();
    for (String element : atMost(RENDEZVOUS_AUTH_TOKENS, MAX_TOKENS)) {
      Matcher form = TOKEN.matcher(element.strip());
      if (form.matches()) {
        Optional<String> recipient =
            Optional.ofNullable(form.group(1)).map(hex -> hex.toLowerCase(Locale.ROOT));
        tokens.add(new StaticToken(recipient, form.group(2)));
      } else {
        from.violation(
            RENDEZVOUS_AUTH_TOKENS.key()
                + " has an element that is no token of 16 to 256 characters");
      }
    }
    if (new HashSet<>(tokens).size() < tokens.size()) {
      from.violation(RENDEZVOUS_AUTH_TOKENS.key() + " has a token twice");
    }
    return tokens;
  }

  private Mailboxes mailboxes() {
    Duration messageTtl = from.duration(RENDEZVOUS_MESSAGE_TTL);
    Duration idleTtl = from.duration(RENDEZVOUS_IDLE_MAILBOX_TTL);
    from.ordered(RENDEZVOUS_MESSAGE_TTL, messageTtl, RENDEZVOUS_IDLE_MAILBOX_TTL, idleTtl);
    return new Mailboxes(
        from.count(RENDEZVOUS_MAX_MESSAGE_SIZE),
        from.count(RENDEZVOUS_MAX_QUEUE_LENGTH),
        messageTtl,
        idleTtl,
        from.count(RENDEZVOUS_MAX_MAILBOXES),
        maxBytes());
  }

  private long maxBytes() {
    long bytes = from.number(RENDEZVOUS_MAX_BYTES);
    if (bytes > from.shareOfHeap()) {
      from.violation(
          "%s must not be greater than a quarter of the heap, %d"
              .formatted(RENDEZVOUS_MAX_BYTES.key(), from.shareOfHeap()));
    }
    return bytes;
  }

  private Waiting waiting() {
    return new Waiting(
        from.count(RENDEZVOUS_MAX_WAITING),
        from.count(RENDEZVOUS_MAX_WAITING_PER_MAILBOX),
        from.count(RENDEZVOUS_MAX_WAITING_PER_ADDRESS));
  }

  private Rates rates() {
    return new Rates(
        from.count(RENDEZVOUS_POSTS_PER_MINUTE),
        from.count(RENDEZVOUS_GETS_PER_MINUTE),
        from.count(RENDEZVOUS_WINDOW_SECONDS),
        from.count(RENDEZVOUS_IPV6_PREFIX));
  }

  private Access access() {
    atMost(RENDEZVOUS_ALLOW, Access.MAX_RANGES);
    atMost(RENDEZVOUS_BLOCK, Access.MAX_RANGES);
    return new Access(from.addresses(RENDEZVOUS_ALLOW), from.addresses(RENDEZVOUS_BLOCK));
  }

  private Http http() {
    return new Http(
        origins(),
        oneOf(RENDEZVOUS_FORWARDED_HEADER, HEADERS),
        from.addresses(RENDEZVOUS_METRICS_FROM));
  }

  private List<String> origins() {
    List<String> origins =
        atMost(RENDEZVOUS_ORIGINS, MAX_ORIGINS).stream().map(String::strip).toList();
    Predicate<String> isOrigin = ORIGIN.asMatchPredicate();
    origins.stream()
        .filter(origin -> !origin.equals("*") && !isOrigin.test(origin))
        .map(origin -> RENDEZVOUS_ORIGINS.key() + " has " + origin + ", which is no origin")
        .forEach(from::violation);
    return origins.stream().map(origin -> origin.toLowerCase(Locale.ROOT)).toList();
  }

  private List<String> atMost(Setting setting, int most) {
    List<String> elements = from.list(setting);
    if (elements.size() > most) {
      from.violation(setting.key() + " must have at most " + most + " elements");
    }
    return elements;
  }
}
