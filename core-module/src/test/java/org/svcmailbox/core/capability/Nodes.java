package org.svcmailbox.core.capability;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.capability.Macaroon;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.capability.RootKey;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.capability.store.InMemoryCapabilityStore;
import org.svcmailbox.core.settings.FairShare;
import org.svcmailbox.core.time.TestTime;

/** Nodes that share a store, on a clock that tests move. */
public final class Nodes {
  static final Duration TTL = Duration.ofSeconds(30);
  static final Duration OUTAGE = Duration.ofMinutes(10);

  final TestTime time = new TestTime();
  final InMemoryCapabilityStore store = new InMemoryCapabilityStore();
  final Map<String, RootKey> configured = new LinkedHashMap<>();
  int maxRevoked = 100;
  int maxMinted = 10_000;
  int fairShare = 100;
  int perAddress;

  /** Starts another node with the current configuration. */
  Capabilities start() {
    return new Capabilities(
        new Capabilities.Terms(
            new LinkedHashMap<>(configured),
            TTL,
            OUTAGE,
            maxRevoked,
            maxMinted,
            new FairShare(fairShare),
            perAddress,
            1_000),
        new Capabilities.Ports(store, new SecureRandom(), time::nanos, time));
  }

  public static Caller operator(Capabilities node) {
    return node.authenticate(operatorToken(node), null);
  }

  static String operatorToken(Capabilities node) {
    return node.operatorCapability(Optional.empty()).orElseThrow();
  }

  static String narrowed(String token, String... caveats) {
    Macaroon macaroon = Macaroon.parse(token);
    for (String caveat : List.of(caveats)) {
      macaroon = macaroon.narrowedBy(caveat);
    }
    return macaroon.token();
  }

  /** The denial of a holder of the token; empty when permitted. */
  public static Optional<Denial> denial(Capabilities node, String token) {
    return node.authenticate(token, null).denial(Operation.SEND, null);
  }

  static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }
}
