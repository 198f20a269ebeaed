package org.svcmailbox.ejb.rendezvous;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.core.capability.Capabilities;
import org.svcmailbox.core.capability.store.InMemoryCapabilityStore;
import org.svcmailbox.core.rendezvous.DoorPorts;
import org.svcmailbox.core.rendezvous.RendezvousStore;
import org.svcmailbox.core.rendezvous.door.RendezvousDoor;
import org.svcmailbox.core.settings.FairShare;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.time.Ticker;

/** Enabled rendezvous services. */
final class DoorFixture {
  private DoorFixture() {}

  /** Settings of an enabled service, with these keys below {@code mailbox.rendezvous.}. */
  static MailboxSettings settings(Map<String, String> own) {
    Map<String, String> all = new HashMap<>(Map.of("mailbox.rendezvous.enabled", "true"));
    own.forEach((key, value) -> all.put("mailbox.rendezvous." + key, value));
    return SettingsLoader.load(key -> Optional.ofNullable(all.get(key)), all.keySet(), 2);
  }

  static RendezvousDoor door(MailboxSettings settings, RendezvousStore store, Ticker ticker) {
    return new RendezvousDoor(
        settings,
        new DoorPorts(store, capabilities(), new SecureRandom(), ticker, InstantSource.system()));
  }

  private static Capabilities capabilities() {
    return new Capabilities(
        new Capabilities.Terms(
            Map.of(),
            Duration.ofSeconds(30),
            Duration.ofHours(1),
            10,
            10,
            new FairShare(100),
            0,
            10),
        new Capabilities.Ports(
            new InMemoryCapabilityStore(),
            new SecureRandom(),
            System::nanoTime,
            InstantSource.system()));
  }
}
