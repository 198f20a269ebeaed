package org.svcmailbox.client;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the mailboxes that replies go to, by name.
 *
 * <p>Looks among the registered mailboxes first, then asks a factory for names that match a
 * pattern. A message carries a name and never an address, so its sender can reach only mailboxes
 * that the resolver allows. Of the mailboxes opened by the factory, it keeps the 1,000 most
 * recently used and closes the others. Thread-safe.
 */
public final class MailboxResolver implements AutoCloseable {
  /** The most mailboxes of the factory that stay open. */
  public static final int MAX_OPEN = 1_000;

  private record Opened(String name, Codec<?> codec) {}

  private final Map<String, Mailbox<?, ?>> registered;
  private final @Nullable Pattern names;
  private final @Nullable MailboxFactory factory;
  private final Map<Opened, Mailbox<?, ?>> cache = new LinkedHashMap<>(16, 0.75f, true);
  private boolean closed;

  private MailboxResolver(Builder from) {
    registered = Map.copyOf(from.registered);
    names = from.names;
    factory = from.factory;
  }

  /** A resolver of these mailboxes and no other. */
  public static MailboxResolver of(Mailbox<?, ?>... mailboxes) {
    Builder builder = builder();
    for (Mailbox<?, ?> mailbox : mailboxes) {
      builder.register(mailbox);
    }
    return builder.build();
  }

  /** Builds a resolver; without additions it finds nothing. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Finds a mailbox. The resolver does not check that a registered mailbox takes the bodies of
   * {@code codec}: the code that registered it guarantees that. The caller does not close the
   * mailbox.
   *
   * @throws ReplyNotAvailableException if the name is neither registered nor known to the factory
   * @throws MailboxException if the factory fails
   */
  public <R> Mailbox<R, ?> resolve(String name, Codec<R> codec) {
    Mailbox<?, ?> known = registered.get(name);
    if (known == null) {
      known = opened(name, codec);
    }
    // The factory opened it with this codec; for a registered mailbox, see resolve.
    @SuppressWarnings("unchecked")
    Mailbox<R, ?> found = (Mailbox<R, ?>) known;
    return found;
  }

  /** Closes the mailboxes that the factory opened. Registered mailboxes stay open. */
  @Override
  public void close() {
    List<Mailbox<?, ?>> dropped;
    synchronized (cache) {
      closed = true;
      dropped = List.copyOf(cache.values());
      cache.clear();
    }
    dropped.forEach(Mailbox::close);
  }

  private Mailbox<?, ?> opened(String name, Codec<?> codec) {
    if (factory == null || names == null || !names.matcher(name).matches()) {
      throw new ReplyNotAvailableException("no mailbox " + name + " is known to reply to");
    }
    Opened key = new Opened(name, codec);
    synchronized (cache) {
      Mailbox<?, ?> cached = cache.get(key);
      if (cached != null && !cached.isClosed()) {
        return cached;
      }
    }
    // Outside the lock, because opening may take a while. If two threads open one, the first is
    // kept.
    return keep(key, open(factory, key));
  }

  private static Mailbox<?, ?> open(MailboxFactory factory, Opened key) {
    try {
      return factory.open(key.name, key.codec);
    } catch (MailboxNotFoundException e) {
      throw new ReplyNotAvailableException("there is no mailbox " + key.name + " to reply to", e);
    }
  }

  private Mailbox<?, ?> keep(Opened key, Mailbox<?, ?> mailbox) {
    List<Mailbox<?, ?>> dropped = new ArrayList<>();
    Mailbox<?, ?> kept = mailbox;
    synchronized (cache) {
      Mailbox<?, ?> other = cache.get(key);
      if (closed) {
        dropped.add(mailbox);
      } else if (other != null && !other.isClosed()) {
        dropped.add(mailbox);
        kept = other;
      } else {
        cache.put(key, mailbox);
        dropped.addAll(beyondBound());
      }
    }
    dropped.forEach(Mailbox::close);
    return kept;
  }

  private List<Mailbox<?, ?>> beyondBound() {
    if (cache.size() <= MAX_OPEN) {
      return List.of();
    }
    Opened eldest = cache.keySet().iterator().next();
    return List.of(requireNonNull(cache.remove(eldest)));
  }

  /** Builds a resolver. */
  public static final class Builder {
    private final Map<String, Mailbox<?, ?>> registered = new HashMap<>();
    private @Nullable Pattern names;
    private @Nullable MailboxFactory factory;

    private Builder() {}

    /**
     * Registers a mailbox under its name.
     *
     * @throws IllegalArgumentException if another has this name
     */
    public Builder register(Mailbox<?, ?> mailbox) {
      if (registered.putIfAbsent(mailbox.name(), mailbox) != null) {
        throw new IllegalArgumentException("two mailboxes have the name " + mailbox.name());
      }
      return this;
    }

    /** Opens mailboxes whose whole name matches the pattern. */
    public Builder factory(Pattern names, MailboxFactory factory) {
      this.names = requireNonNull(names, "names");
      this.factory = requireNonNull(factory, "factory");
      return this;
    }

    /** The resolver. */
    public MailboxResolver build() {
      return new MailboxResolver(this);
    }
  }
}
