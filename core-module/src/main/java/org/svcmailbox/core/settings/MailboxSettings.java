package org.svcmailbox.core.settings;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.svcmailbox.core.capability.IpRange;
import org.svcmailbox.core.capability.RootKey;

/**
 * Every setting of the service, checked and immutable. {@link SettingsLoader} is the way to get
 * one.
 *
 * @param workers shard workers, each with a thread and a broker session
 * @param bounds of what is held at once
 * @param projection how far the database may be behind
 * @param request bounds of one request
 * @param intake of the listener
 * @param retention of what is kept for the record
 * @param drainDeadline how long shutdown waits for what was begun
 * @param visibility the bounds of a lease
 * @param topics how topics come to be
 * @param capabilities who may do what
 * @param rates how often
 * @param eventStreams streams of events at once, at most
 * @param console who may use it, and for how long
 * @param redrive jobs over dead letters
 * @param storeJoin what names a database and a broker that are to become a pair
 * @param accept what names a loss that an operator accepts
 * @param amnesia whether anything outlives the process
 * @param rendezvous the rendezvous door
 * @param defaults what holds for a topic that says nothing else
 */
public record MailboxSettings(
    int workers,
    Bounds bounds,
    Projection projection,
    Request request,
    Intake intake,
    Retention retention,
    Duration drainDeadline,
    Visibility visibility,
    Topics topics,
    Capabilities capabilities,
    Rates rates,
    int eventStreams,
    Console console,
    Redrive redrive,
    Optional<String> storeJoin,
    Optional<String> accept,
    Amnesia amnesia,
    RendezvousSettings rendezvous,
    TopicSettings defaults) {

  /** A worker's inbox has room for several saturated shards besides the others. */
  private static final int INBOX_SHARDS = 4;

  /** Commands that may wait for one worker. */
  public int inboxCapacity() {
    return INBOX_SHARDS * defaults.shardCapacity();
  }

  /**
   * What is held at once, at most.
   *
   * @param inflight messages under a lease
   * @param inflightBytes payload bytes of those
   * @param dedupCapacity idempotency keys
   * @param waiting RECV calls that wait
   * @param diskReserve bytes of the data disk that SENDs leave free; empty for a share of it
   */
  public record Bounds(
      int inflight, int inflightBytes, int dedupCapacity, int waiting, OptionalInt diskReserve) {}

  /**
   * How far the database may be behind, and how far it may fall back: what the logs of all workers
   * in the broker keep.
   *
   * @param entries of all logs; each has 64 whatever this says
   * @param bytes of all logs, and of what the database lacks
   */
  public record Projection(int entries, int bytes) {}

  /**
   * What one request has, at most.
   *
   * @param maxFrame payload bytes of one message, or of one batch together
   * @param batch elements of a batch
   * @param attrs attributes of a message
   * @param attrValue characters of an attribute's value
   */
  public record Request(int maxFrame, int batch, int attrs, int attrValue) {}

  /**
   * The listener.
   *
   * @param connections that are served at once
   * @param readTimeout how long a body may keep us waiting
   * @param writeTimeout how long a client may not read
   * @param idleTimeout how long a connection may be unused
   * @param proxies whose {@code X-Forwarded-For} is believed
   */
  public record Intake(
      int connections,
      Duration readTimeout,
      Duration writeTimeout,
      Duration idleTimeout,
      List<IpRange> proxies) {}

  /**
   * How long what is kept for the record is kept.
   *
   * @param ledger an entry of a ledger
   * @param ledgerBytes the most that all ledgers take in the database
   * @param audit an entry of the audit
   */
  public record Retention(Duration ledger, long ledgerBytes, Duration audit) {}

  /**
   * The bounds of a lease.
   *
   * @param min the shortest
   * @param max the longest
   */
  public record Visibility(Duration min, Duration max) {}

  /**
   * How topics come to be.
   *
   * @param autoCreate whether a SEND or RECV makes the topic it names
   * @param max the most topics
   * @param named the most that metrics tell by their names
   */
  public record Topics(boolean autoCreate, int max, int named) {}

  /**
   * Who may do what.
   *
   * @param cacheTtl how long a verification is believed
   * @param rootKeys by id, in order: the one to mint with first; empty when the service makes them
   * @param maxRevoked the most single capabilities that are kept as revoked
   * @param maxMinted the most capabilities that were minted and have not expired
   */
  public record Capabilities(
      Duration cacheTtl, Map<String, RootKey> rootKeys, int maxRevoked, int maxMinted) {}

  /**
   * How often one may call.
   *
   * @param perAddress calls a second from one address; 0 for any number
   * @param perTopic SENDs and RECVs a second on one topic; 0 for any number
   * @param buckets the most rates of each kind that are counted at once
   */
  public record Rates(int perAddress, int perTopic, int buckets) {}

  /**
   * The console.
   *
   * @param maxSessions people signed in at once, at most
   * @param idle after so long without use one is signed out
   * @param longest how long a sign-in lasts at most
   * @param capabilityLife how long a capability lasts that it asks for
   * @param url how browsers reach the server; empty for what their requests say
   * @param oidc who signs people in; empty for the server's own users
   */
  public record Console(
      int maxSessions,
      Duration idle,
      Duration longest,
      Duration capabilityLife,
      Optional<URI> url,
      Optional<Oidc> oidc) {}

  /**
   * OpenID Connect.
   *
   * @param provider the issuer
   * @param clientId what it calls us
   * @param clientSecret how it knows us
   * @param scope what it is asked for
   * @param userClaim where it says who somebody is
   * @param roleClaim where it says what somebody may do; inner ones after a dot
   * @param viewer the value that makes a viewer
   * @param operator the value that makes an operator
   */
  public record Oidc(
      URI provider,
      String clientId,
      String clientSecret,
      String scope,
      String userClaim,
      String roleClaim,
      String viewer,
      String operator) {
    @Override
    public String toString() {
      return "Oidc[%s, %s, secret, %s, %s, %s, %s, %s]"
          .formatted(provider, clientId, scope, userClaim, roleClaim, viewer, operator);
    }
  }

  /**
   * Jobs over dead letters.
   *
   * @param maxJobs the most that are not over
   * @param rate letters a second of a job that does not say
   */
  public record Redrive(int maxJobs, int rate) {}

  /**
   * Whether anything outlives the process.
   *
   * @param on whether everything is in memory only: the micronode
   * @param maxBytes memory of all messages then, ready or dead
   */
  public record Amnesia(boolean on, int maxBytes) {
    /** Whether dead letters outlive the process, as operators are told. */
    public String dlqProfile() {
      return on ? "ephemeral" : "durable";
    }
  }
}
