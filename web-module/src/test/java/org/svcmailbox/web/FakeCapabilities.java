package org.svcmailbox.web;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.capability.BodyOwners;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.capability.store.ListedCapability;
import org.svcmailbox.core.capability.store.Minting;

/** Capabilities that admit every caller unless a test says otherwise. */
public final class FakeCapabilities implements CapabilityService {
  /** The token and address of one request. */
  public record Presented(@Nullable String token, @Nullable InetAddress address) {}

  /** Authenticates requests; a test replaces it. */
  @FunctionalInterface
  public interface Authenticator {
    Caller open(Presented presented);
  }

  public volatile Authenticator onAuthenticate = presented -> SampleCallers.OPERATOR;

  public final BlockingQueue<Presented> presented = new LinkedBlockingQueue<>();
  public final BlockingQueue<Object> calls = new LinkedBlockingQueue<>();

  @Override
  public Caller authenticate(@Nullable String token, @Nullable InetAddress address) {
    Presented who = new Presented(token, address);
    presented.add(who);
    return onAuthenticate.open(who);
  }

  @Override
  public void countCall(Caller caller) {
    throw new UnsupportedOperationException("no stream counts calls here");
  }

  @Override
  public BodyOwners bodyOwners() {
    throw new UnsupportedOperationException("no listener asks for holders here");
  }

  @Override
  public Minted mint(Caller operator, List<String> caveats, Duration life, @Nullable String note) {
    calls.add(List.of(caveats, life, Optional.ofNullable(note)));
    return new Minted("token", operator.capability().id(), Instant.parse("2026-12-01T00:00:00Z"));
  }

  @Override
  public Revoked revoke(Caller operator, Revocation what) {
    calls.add(what);
    return new Revoked(Operation.REVOKE, what.toString(), id -> true);
  }

  @Override
  public CapabilityPage list(Caller operator, ListedCapability.Kind kind, String after, int limit) {
    calls.add("list " + kind + " " + after + " " + limit);
    Instant at = Instant.parse("2026-11-01T00:00:00Z");
    CapabilityId id = new CapabilityId("k-1", "0".repeat(32));
    Minting minting =
        new Minting(
            id,
            List.of("ops = send"),
            new Actor("k-1:00", "console:kim"),
            at,
            at.plusSeconds(60),
            "shop 7");
    String subject = ListedCapability.NONCE + id.nonce();
    return new CapabilityPage(
        List.of(
            new ListedCapability(subject, "k-1", minting, null),
            new ListedCapability("key:k-0", "k-0", null, at)),
        subject);
  }

  @Override
  public String rotate(Caller operator) {
    calls.add("rotate");
    return "k-2";
  }
}
