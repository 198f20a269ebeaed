package org.svcmailbox.core.rendezvous.door;

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
import org.svcmailbox.core.rendezvous.AccessAnswer;
import org.svcmailbox.core.rendezvous.AccessRequest;
import org.svcmailbox.core.rendezvous.DoorPorts;
import org.svcmailbox.core.rendezvous.InMemoryRendezvousStore;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.core.rendezvous.mailbox.Scene;
import org.svcmailbox.core.settings.FairShare;
import org.svcmailbox.core.time.TestTime;

/** A whole service with capabilities, in-memory stores and a clock that tests move. */
public final class DoorScene {
  public static final RecipientId MAILBOX = Scene.recipient(1);
  public static final RecipientId OTHER = Scene.recipient(2);

  public final TestTime time = new TestTime();
  public final InMemoryRendezvousStore store;
  public final InMemoryCapabilityStore capabilityStore = new InMemoryCapabilityStore();
  public final Capabilities capabilities;
  public final Caller operator;
  public final RendezvousDoor door;

  public DoorScene(String... settings) {
    this(new InMemoryRendezvousStore(), settings);
  }

  /** Starts on what another service has left. */
  public DoorScene(InMemoryRendezvousStore store, String... settings) {
    this.store = store;
    this.capabilities =
        new Capabilities(
            new Capabilities.Terms(
                Map.of(),
                Duration.ofSeconds(30),
                Duration.ofHours(1),
                100,
                1_000,
                new FairShare(100),
                0,
                1_000),
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
            Scene.settings(on), new DoorPorts(store, capabilities, new SecureRandom(), time, time));
  }

  /** An operator's capability, narrowed. */
  public String capability(String... caveats) {
    return capabilities.mint(operator, List.of(caveats), Duration.ofHours(1)).token();
  }

  public Minted minted(String... caveats) {
    return capabilities.mint(operator, List.of(caveats), Duration.ofHours(1));
  }

  public void revoke(Minted minted) {
    capabilities.revoke(operator, new Revocation.OfCapability(minted.token()));
  }

  public Caller operator(String... caveats) {
    return capabilities.authenticate(capability(caveats), null);
  }

  public AccessAnswer admit(Right right, @Nullable String token) {
    return admit(right, "192.0.2.1", token);
  }

  public AccessAnswer admit(Right right, String address, @Nullable String token) {
    return door.admit(new AccessRequest(MAILBOX, right, address(address), token, false));
  }

  public AccessAnswer admitTo(RecipientId recipient, Right right, @Nullable String token) {
    return door.admit(new AccessRequest(recipient, right, address("192.0.2.1"), token, false));
  }

  public AccessAnswer awaits(String address, @Nullable String token) {
    return door.admit(new AccessRequest(MAILBOX, Right.GET, address(address), token, true));
  }

  /** A POST without a token. */
  public AccessAnswer post(String address) {
    return admit(Right.POST, address, null);
  }

  public static InetAddress address(String text) {
    return Scene.address(text);
  }
}
