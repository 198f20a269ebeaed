package org.svcmailbox.core.rendezvous;

import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.Capabilities;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.CapabilityService.Revocation;
import org.svcmailbox.core.capability.store.InMemoryCapabilityStore;
import org.svcmailbox.core.time.TestTime;

/** A whole service with capabilities, in-memory stores and a clock that tests move. */
final class DoorScene {
  static final RecipientId MAILBOX = Scene.recipient(1);
  static final RecipientId OTHER = Scene.recipient(2);

  final TestTime time = new TestTime();
  final InMemoryRendezvousStore store;
  final InMemoryCapabilityStore capabilityStore = new InMemoryCapabilityStore();
  final Capabilities capabilities;
  final Caller operator;
  final RendezvousDoor door;

  DoorScene(String... settings) {
    this(new InMemoryRendezvousStore(), settings);
  }

  /** Starts on what another service has left. */
  DoorScene(InMemoryRendezvousStore store, String... settings) {
    this.store = store;
    this.capabilities =
        new Capabilities(
            new Capabilities.Terms(Map.of(), Duration.ofSeconds(30), 100, 1_000, 0, 1_000),
            new Capabilities.Ports(capabilityStore, new SecureRandom(), time::nanos, time));
    this.operator =
        capabilities.authenticate(
            capabilities.operatorCapability(Optional.empty()).orElseThrow(), null);
    String[] on = new String[settings.length + 2];
    on[0] = "enabled";
    on[1] = "true";
    System.arraycopy(settings, 0, on, 2, settings.length);
    this.door =
        new RendezvousDoor(
            Scene.settings(on),
            new RendezvousDoor.Ports(store, capabilities, new SecureRandom(), time, time));
  }

  /** An operator's capability, narrowed. */
  String capability(String... caveats) {
    return capabilities.mint(operator, List.of(caveats), Duration.ofHours(1)).token();
  }

  Minted minted(String... caveats) {
    return capabilities.mint(operator, List.of(caveats), Duration.ofHours(1));
  }

  void revoke(Minted minted) {
    capabilities.revoke(operator, new Revocation.OfCapability(minted.token()));
  }

  Caller operator(String... caveats) {
    return capabilities.authenticate(capability(caveats), null);
  }

  Admission admit(Right right, @Nullable String token) {
    return admit(right, "192.0.2.1", token);
  }

  Admission admit(Right right, String address, @Nullable String token) {
    return door.admit(new Knock(MAILBOX, right, address(address), token, false));
  }

  Admission admitTo(RecipientId recipient, Right right, @Nullable String token) {
    return door.admit(new Knock(recipient, right, address("192.0.2.1"), token, false));
  }

  Admission awaits(String address, @Nullable String token) {
    return door.admit(new Knock(MAILBOX, Right.GET, address(address), token, true));
  }

  /** A POST without a token. */
  Admission post(String address) {
    return admit(Right.POST, address, null);
  }

  static InetAddress address(String text) {
    return Scene.address(text);
  }
}
