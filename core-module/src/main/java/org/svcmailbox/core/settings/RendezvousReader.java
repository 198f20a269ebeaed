package org.svcmailbox.core.settings;

import static org.svcmailbox.core.settings.RendezvousSetting.ALLOW;
import static org.svcmailbox.core.settings.RendezvousSetting.AUTH_MODE;
import static org.svcmailbox.core.settings.RendezvousSetting.AUTH_TOKENS;
import static org.svcmailbox.core.settings.RendezvousSetting.BLOCK;
import static org.svcmailbox.core.settings.RendezvousSetting.CERT_PATH;
import static org.svcmailbox.core.settings.RendezvousSetting.ENABLED;
import static org.svcmailbox.core.settings.RendezvousSetting.EVICTION_INTERVAL;
import static org.svcmailbox.core.settings.RendezvousSetting.FORWARDED_HEADER;
import static org.svcmailbox.core.settings.RendezvousSetting.GETS_PER_MINUTE;
import static org.svcmailbox.core.settings.RendezvousSetting.IDLE_MAILBOX_TTL;
import static org.svcmailbox.core.settings.RendezvousSetting.IPV6_PREFIX;
import static org.svcmailbox.core.settings.RendezvousSetting.KEY_PATH;
import static org.svcmailbox.core.settings.RendezvousSetting.LISTEN_ADDR;
import static org.svcmailbox.core.settings.RendezvousSetting.MAX_BYTES;
import static org.svcmailbox.core.settings.RendezvousSetting.MAX_CONNECTIONS;
import static org.svcmailbox.core.settings.RendezvousSetting.MAX_MAILBOXES;
import static org.svcmailbox.core.settings.RendezvousSetting.MAX_MESSAGE_SIZE;
import static org.svcmailbox.core.settings.RendezvousSetting.MAX_QUEUE_LENGTH;
import static org.svcmailbox.core.settings.RendezvousSetting.MAX_WAITING;
import static org.svcmailbox.core.settings.RendezvousSetting.MAX_WAITING_PER_ADDRESS;
import static org.svcmailbox.core.settings.RendezvousSetting.MAX_WAITING_PER_MAILBOX;
import static org.svcmailbox.core.settings.RendezvousSetting.MESSAGE_TTL;
import static org.svcmailbox.core.settings.RendezvousSetting.METRICS_FROM;
import static org.svcmailbox.core.settings.RendezvousSetting.MIN_VERSION;
import static org.svcmailbox.core.settings.RendezvousSetting.ORIGINS;
import static org.svcmailbox.core.settings.RendezvousSetting.POSTS_PER_MINUTE;
import static org.svcmailbox.core.settings.RendezvousSetting.SHUTDOWN_TIMEOUT;
import static org.svcmailbox.core.settings.RendezvousSetting.WINDOW_SECONDS;
import static org.svcmailbox.core.settings.ServiceSetting.TRUSTED_PROXIES;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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

/** Checks the rendezvous settings together, for {@link SettingsLoader}. */
final class RendezvousReader {
  /** {@code MAILBOX_TLS_KEYSTORE}, which the start script sets, as MicroProfile Config names it. */
  static final String SERVER_KEYSTORE = "mailbox.tls.keystore";

  private final SettingValues values;

  RendezvousReader(SettingValues values) {
    this.values = values;
  }

  RendezvousSettings read() {
    Listener listener = listener();
    Auth auth = auth();
    if (values.get(ENABLED)) {
      requireSecrecy(listener, auth);
    }
    return new RendezvousSettings(
        values.get(ENABLED),
        listener,
        auth,
        mailboxes(),
        new Waiting(
            values.get(MAX_WAITING),
            values.get(MAX_WAITING_PER_MAILBOX),
            values.get(MAX_WAITING_PER_ADDRESS)),
        new Rates(
            values.get(POSTS_PER_MINUTE),
            values.get(GETS_PER_MINUTE),
            values.get(WINDOW_SECONDS),
            values.get(IPV6_PREFIX)),
        new Access(values.get(ALLOW), values.get(BLOCK)),
        new Http(values.get(ORIGINS), values.get(FORWARDED_HEADER), values.get(METRICS_FROM)),
        values.get(EVICTION_INTERVAL),
        values.get(SHUTDOWN_TIMEOUT));
  }

  /** Tokens must not cross a network in plain text, except behind a trusted proxy that uses TLS. */
  private void requireSecrecy(Listener listener, Auth auth) {
    boolean isSecret =
        auth.mode() == AuthMode.DISABLED
            || listener.address().getAddress().isLoopbackAddress()
            || listener.pem().isPresent()
            || values.isGiven(SERVER_KEYSTORE)
            || !values.get(TRUSTED_PROXIES).isEmpty();
    if (!isSecret) {
      values.violation(
          "%s must be a loopback address, or needs %s, a server with TLS or %s: tokens must not be sent in the clear"
              .formatted(LISTEN_ADDR.key(), CERT_PATH.key(), TRUSTED_PROXIES.key()));
    }
  }

  private Listener listener() {
    return new Listener(
        values.get(LISTEN_ADDR), values.get(MAX_CONNECTIONS), pem(), values.get(MIN_VERSION));
  }

  private Optional<Pem> pem() {
    Optional<Path> certificate = values.get(CERT_PATH);
    Optional<Path> key = values.get(KEY_PATH);
    if (certificate.isPresent() != key.isPresent()) {
      values.violation(CERT_PATH.key() + " and " + KEY_PATH.key() + " are given together");
    }
    return certificate.flatMap(chain -> key.map(secret -> new Pem(chain, secret)));
  }

  private Auth auth() {
    AuthMode mode = values.get(AUTH_MODE);
    List<StaticToken> tokens = values.get(AUTH_TOKENS);
    if (mode == AuthMode.PER_MAILBOX
        && tokens.stream().anyMatch(token -> token.recipient().isEmpty())) {
      values.violation(
          "%s must be recipient=token with %s=per_mailbox"
              .formatted(AUTH_TOKENS.key(), AUTH_MODE.key()));
    }
    return new Auth(mode, tokens);
  }

  private Mailboxes mailboxes() {
    values.ordered(MESSAGE_TTL, IDLE_MAILBOX_TTL);
    return new Mailboxes(
        values.get(MAX_MESSAGE_SIZE),
        values.get(MAX_QUEUE_LENGTH),
        values.get(MESSAGE_TTL),
        values.get(IDLE_MAILBOX_TTL),
        values.get(MAX_MAILBOXES),
        maxBytes());
  }

  private long maxBytes() {
    long bytes = values.get(MAX_BYTES);
    long most = RendezvousSetting.shareOfHeap(values.deployment());
    if (bytes > most) {
      values.violation(
          "%s must not be greater than a quarter of the heap, %d".formatted(MAX_BYTES.key(), most));
    }
    return bytes;
  }
}
