package org.svcmailbox.core.rendezvous.access;

import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.RendezvousAdmin;
import org.svcmailbox.core.rendezvous.StoredToken;
import org.svcmailbox.core.settings.RendezvousSettings.AuthMode;
import org.svcmailbox.core.settings.RendezvousSettings.StaticToken;

/**
 * All tokens, in memory. Room is reserved before a token goes to disk, so that concurrent calls
 * respect the limits. Any thread; never blocks.
 */
final class TokenCache {
  private static final KnownToken DUMMY = KnownToken.dummy();

  private final AuthMode mode;

  /** Tokens for every mailbox, including configured ones. */
  private final List<KnownToken> configured;

  private final NavigableMap<String, StoredToken> byId = new TreeMap<>();

  /** By mailbox; the null key has the tokens for every mailbox. */
  private final Map<@Nullable RecipientId, List<KnownToken>> byMailbox = new HashMap<>();

  /** Room reserved for tokens that are being written to disk. */
  private final Map<@Nullable RecipientId, Integer> reserved = new HashMap<>();

  private int reservations;

  TokenCache(AuthMode mode, List<StaticToken> configured) {
    this.mode = mode;
    this.configured = configured.stream().map(KnownToken::of).toList();
  }

  synchronized boolean hasServerWide(Instant now) {
    return configured.stream().anyMatch(token -> token.mailbox() == null)
        || of(null).stream().anyMatch(token -> !token.hasEnded(now));
  }

  /** Finds the token that a client presents, in constant time. */
  Optional<KnownToken> find(RecipientId recipient, String presented, Instant now) {
    byte[] digest = TokenDigest.of(presented);
    KnownToken found = null;
    for (KnownToken candidate : candidates(recipient)) {
      if (MessageDigest.isEqual(candidate.digest(), digest)) {
        found = candidate;
      }
    }
    return Optional.ofNullable(found).filter(token -> !token.hasEnded(now));
  }

  /** Never empty. */
  private List<KnownToken> candidates(RecipientId recipient) {
    List<KnownToken> candidates = new ArrayList<>();
    boolean isServerWide = mode == AuthMode.SERVER_WIDE;
    configured.stream()
        .filter(token -> token.mailbox() == null ? isServerWide : recipient.equals(token.mailbox()))
        .forEach(candidates::add);
    synchronized (this) {
      candidates.addAll(of(recipient));
      if (isServerWide) {
        candidates.addAll(of(null));
      }
    }
    if (candidates.isEmpty()) {
      candidates.add(DUMMY);
    }
    return candidates;
  }

  synchronized boolean isGood(KnownToken token, Instant now) {
    if (token.isStatic()) {
      return true;
    }
    StoredToken stored = byId.get(token.id());
    return stored != null && !stored.hasEnded(now);
  }

  /** Reserves room for one token; false at a limit. */
  synchronized boolean tryReserve(@Nullable RecipientId mailbox) {
    int most = mailbox == null ? RendezvousAdmin.MAX_SERVER_WIDE : RendezvousAdmin.MAX_PER_MAILBOX;
    boolean hasRoom =
        byId.size() + reservations < RendezvousAdmin.MAX_TOKENS
            && of(mailbox).size() + reserved.getOrDefault(mailbox, 0) < most;
    if (hasRoom) {
      reserved.merge(mailbox, 1, Integer::sum);
      reservations++;
    }
    return hasRoom;
  }

  synchronized void release(@Nullable RecipientId mailbox) {
    reserved.computeIfPresent(mailbox, (key, count) -> count == 1 ? null : count - 1);
    reservations--;
  }

  /** Replaces a token, unless it has been removed meanwhile. */
  synchronized void replace(StoredToken token) {
    if (byId.containsKey(token.id())) {
      put(token);
    }
  }

  synchronized void put(StoredToken token) {
    remove(token.id());
    byId.put(token.id(), token);
    List<KnownToken> others = new ArrayList<>(of(token.mailbox()));
    others.add(KnownToken.of(token));
    byMailbox.put(token.mailbox(), List.copyOf(others));
  }

  synchronized boolean remove(String id) {
    StoredToken removed = byId.remove(id);
    if (removed == null) {
      return false;
    }
    List<KnownToken> others =
        of(removed.mailbox()).stream().filter(token -> !token.id().equals(id)).toList();
    if (others.isEmpty()) {
      byMailbox.remove(removed.mailbox());
    } else {
      byMailbox.put(removed.mailbox(), others);
    }
    return true;
  }

  /** The token with an id; empty for an expired one. */
  synchronized Optional<StoredToken> find(String id, Instant now) {
    return Optional.ofNullable(byId.get(id)).filter(token -> !token.hasEnded(now));
  }

  synchronized List<StoredToken> behind(String id, int most) {
    return byId.tailMap(id, false).values().stream().limit(most).toList();
  }

  synchronized void removeEnded(Instant now) {
    byId.values().stream()
        .filter(token -> token.hasEnded(now))
        .map(StoredToken::id)
        .toList()
        .forEach(this::remove);
  }

  synchronized int size() {
    return byId.size();
  }

  private List<KnownToken> of(@Nullable RecipientId mailbox) {
    return byMailbox.getOrDefault(mailbox, List.of());
  }
}
