package org.svcmailbox.grpc.server;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.BodyOwners;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.capability.store.ListedCapability;

/** Capabilities that admit every caller unless a test says otherwise. */
final class FakeCapabilities implements CapabilityService {
  /** The token and address of one call. */
  record Presented(@Nullable String token, @Nullable InetAddress address) {}

  volatile Supplier<Caller> onAuthenticate = () -> SampleCallers.OPERATOR;

  final BlockingQueue<Presented> presented = new LinkedBlockingQueue<>();

  @Override
  public Caller authenticate(@Nullable String token, @Nullable InetAddress address) {
    presented.add(new Presented(token, address));
    return onAuthenticate.get();
  }

  private static UnsupportedOperationException unused() {
    return new UnsupportedOperationException("the door does not manage capabilities");
  }

  @Override
  public void countCall(Caller caller) {
    throw new UnsupportedOperationException("no stream counts calls here");
  }

  @Override
  public BodyOwners bodyOwners() {
    throw unused();
  }

  @Override
  public Minted mint(Caller operator, List<String> caveats, Duration life, @Nullable String note) {
    throw unused();
  }

  @Override
  public Revoked revoke(Caller operator, Revocation what) {
    throw unused();
  }

  @Override
  public String rotate(Caller operator) {
    throw unused();
  }

  @Override
  public CapabilityPage list(Caller operator, ListedCapability.Kind kind, String after, int limit) {
    throw unused();
  }
}
