package org.svcmailbox.core.capability;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Macaroon;
import org.svcmailbox.capability.RootKey;
import org.svcmailbox.core.capability.Caller.Standing;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.capability.caveat.VerifiedCapability;

/** Callers with genuine capabilities. */
public final class SampleCallers {
  private static final RootKey KEY = RootKey.of("sample".getBytes(StandardCharsets.US_ASCII));

  /** Unrestricted. */
  public static final Caller OPERATOR = new SampleCallers().caller(0);

  private final Set<CapabilityId> revoked = ConcurrentHashMap.newKeySet();
  private volatile Instant now = Instant.parse("2026-11-20T12:00:00Z");
  private final AtomicInteger denials = new AtomicInteger();

  /** Each number is a capability of its own, narrowed by {@code caveats}. */
  public Caller caller(int number, String... caveats) {
    return caller(number, Standing.GOOD, caveats);
  }

  Caller caller(int number, Standing standing, String... caveats) {
    BearerToken token = new BearerToken(macaroon(number, caveats).token());
    return new Caller(
        capability(number, caveats), token, standing, "caller " + number, null, watch());
  }

  Caller caller(VerifiedCapability capability, InetAddress address) {
    return new Caller(capability, new BearerToken("sample"), Standing.GOOD, null, address, watch());
  }

  /** The caller that holds this token. */
  public Caller holder(BearerToken token) {
    Macaroon macaroon = Macaroon.parse(token.value());
    VerifiedCapability capability =
        VerifiedCapability.of(macaroon, CapabilityId.ofBytes(macaroon.identifier()), KEY)
            .orElseThrow();
    return new Caller(capability, token, Standing.GOOD, null, null, watch());
  }

  public static VerifiedCapability capability(int number, String... caveats) {
    return VerifiedCapability.of(macaroon(number, caveats), id(number), KEY).orElseThrow();
  }

  private static CapabilityId id(int number) {
    byte[] nonce = new byte[CapabilityId.NONCE_BYTES];
    nonce[0] = (byte) number;
    nonce[1] = (byte) (number >> 8);
    return CapabilityId.of("sample", nonce);
  }

  private static Macaroon macaroon(int number, String... caveats) {
    Macaroon macaroon = Macaroon.mint(KEY, "mailbox", id(number).bytes());
    for (String caveat : List.of(caveats)) {
      macaroon = macaroon.narrowedBy(caveat);
    }
    return macaroon;
  }

  /** Revokes a capability in use. */
  public void revoke(Caller caller) {
    revoked.add(caller.capability().id());
  }

  /** Sets the wall clock that caveats are judged by. */
  public void now(Instant moment) {
    now = moment;
  }

  int denials() {
    return denials.get();
  }

  private Caller.Watch watch() {
    return new Caller.Watch() {
      @Override
      public boolean isRevoked(CapabilityId id) {
        return revoked.contains(id);
      }

      @Override
      public Instant now() {
        return now;
      }

      @Override
      public void denied(Caller caller, Denial why) {
        denials.incrementAndGet();
      }
    };
  }
}
