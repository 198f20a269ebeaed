package org.svcmailbox.bench.rendezvous;

import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.options.Options;

/** Servers with the rendezvous door open, or closed. */
final class Door {
  private static final int PORT = 8_090;

  /** A turn that ends between POST and GET leaves messages, whose mailboxes keep their places. */
  private static final Map<String, String> OPEN =
      Map.of(
          "MAILBOX_RENDEZVOUS_MAX_MAILBOXES", "11000",
          "MAILBOX_RENDEZVOUS_ENABLED", "true",
          "MAILBOX_RENDEZVOUS_AUTH_MODE", "disabled",
          "MAILBOX_RENDEZVOUS_ALLOW", "127.0.0.1/32");

  private Door() {}

  static Server open(Options options, String name, Map<String, String> more) throws IOException {
    Map<String, String> settings = new HashMap<>(OPEN);
    settings.putAll(more);
    return start(options, name, settings);
  }

  static Server closed(Options options, String name) throws IOException {
    return start(options, name, Map.of());
  }

  private static Server start(Options options, String name, Map<String, String> more)
      throws IOException {
    Progress.say("starting the server: " + name);
    Map<String, String> settings = new HashMap<>(Server.SETTINGS);
    settings.putAll(more);
    return Server.start(options, name, name, settings);
  }

  /** The URI of the door. */
  static URI of(Server server) {
    return server.at(PORT);
  }
}
