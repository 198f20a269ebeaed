package org.svcmailbox.core.settings;

import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.capability.RootKey;

/**
 * All settings of the service, checked and immutable, as {@link SettingsLoader} reads them.
 *
 * @param bounds the limits on messages, leases and memory
 * @param projection how far the database may lag
 * @param drainDeadline how long shutdown waits for work in progress
 * @param storeJoin identifies a database and a broker to be paired
 * @param accept identifies the data losses that an operator accepts
 * @param amnesia whether everything is in memory only
 * @param broker empty for the broker of this process
 * @param cluster empty for a server that is alone
 * @param defaults for topics without settings of their own
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
    History history,
    Console console,
    Redrive redrive,
    Optional<String> storeJoin,
    List<String> accept,
    Amnesia amnesia,
    Optional<BrokerSettings> broker,
    Optional<Cluster> cluster,
    Grpc grpc,
    RendezvousSettings rendezvous,
    TopicSettings defaults) {

  /** A worker's inbox holds several saturated shards besides the others. */
  private static final int INBOX_SHARDS = 4;

  public int inboxCapacity() {
    return INBOX_SHARDS * defaults.shardCapacity();
  }

  /**
   * The limits on messages, leases and memory.
   *
   * @param diskReserve bytes of the data disk that SENDs leave free; empty for a share of the disk
   */
  public record Bounds(
      int inflight,
      int inflightBytes,
      int dedupCapacity,
      int waiting,
      int streams,
      OptionalInt diskReserve,
      FairShare fairShare) {}

  /**
   * The size of the workers' logs in the broker, which is how far the database may lag or fall
   * back.
   *
   * @param entries the entries of all logs together; each log has at least 64
   * @param bytes the bytes of all logs together, and of batches that the database lacks
   */
  public record Projection(int entries, int bytes) {}

  /**
   * Limits of one request.
   *
   * @param maxFrame payload bytes of a message or of a whole batch
   * @param streamChunk bytes of one read or write of a stream
   */
  public record Request(int maxFrame, int batch, int attrs, int attrValue, int streamChunk) {}

  /**
   * The listener.
   *
   * @param readTimeout how long a body may stall
   * @param writeTimeout how long a client may read nothing
   * @param metricsFrom addresses that may read metrics without a capability; empty for all
   */
  public record Intake(
      int connections,
      int perAddress,
      Duration readTimeout,
      Duration writeTimeout,
      Duration idleTimeout,
      List<IpRange> proxies,
      Optional<List<IpRange>> metricsFrom) {
    /** Whether an address is a proxy's, which may have many clients behind it. */
    public boolean isProxy(InetAddress address) {
      return proxies.stream().anyMatch(range -> range.contains(address));
    }
  }

  /**
   * How long records are kept.
   *
   * @param ledgerBytes the most bytes of all ledgers in the database
   */
  public record Retention(Duration ledger, long ledgerBytes, Duration audit) {}

  /**
   * A node of a cluster.
   *
   * @param url how the other nodes reach it
   * @param groups how many shares the routing slots are divided into
   * @param leaveDeadline how long a node that is told to end waits for others to take its groups
   * @param patience how long a call looks for the node that serves its group
   * @param trustStore certificates that those of the other nodes are checked against
   */
  public record Cluster(
      String node,
      URI url,
      int groups,
      Duration leaveDeadline,
      Duration patience,
      Optional<Path> trustStore) {}

  /** The limits of a lease. */
  public record Visibility(Duration min, Duration max) {}

  /**
   * Topic creation.
   *
   * @param named how many topics metrics name
   */
  public record Topics(boolean autoCreate, int max, int named) {}

  /**
   * Capability checks.
   *
   * @param rootKeys by id, the minting one first; empty if the service makes them
   */
  public record Capabilities(
      Duration cacheTtl,
      Duration outageTtl,
      Map<String, RootKey> rootKeys,
      int maxRevoked,
      int maxMinted) {}

  /**
   * The minutes that are kept.
   *
   * @param keep how long
   * @param topics how many topics have rows in a minute
   */
  public record History(Duration keep, int topics) {}

  /**
   * Rates per second; 0 means unlimited.
   *
   * @param buckets the most buckets for each kind of rate
   */
  public record Rates(int perAddress, int perTopic, int buckets) {}

  /**
   * The console.
   *
   * @param confirmedFor how long a sign-in or confirmation lets an administrator elevate
   * @param url empty to use what requests say
   * @param oidc empty to use the server's own users
   */
  public record Console(
      int maxSessions,
      Duration idle,
      Duration longest,
      Duration capabilityLife,
      Duration confirmedFor,
      Optional<URI> url,
      Optional<Oidc> oidc) {}

  /**
   * OpenID Connect.
   *
   * @param roleClaim may name nested claims with dots
   * @param viewer a value of that claim
   * @param operator a value of that claim
   * @param administrator a value of that claim
   */
  public record Oidc(
      URI provider,
      String clientId,
      String clientSecret,
      String scope,
      String userClaim,
      String roleClaim,
      String viewer,
      String operator,
      String administrator) {
    @Override
    public String toString() {
      return "Oidc[%s, %s, secret, %s, %s, %s, %s, %s, %s]"
          .formatted(
              provider, clientId, scope, userClaim, roleClaim, viewer, operator, administrator);
    }
  }

  /**
   * Jobs over dead letters.
   *
   * @param rate the default, in letters per second
   */
  public record Redrive(int maxJobs, int rate) {}

  /**
   * The gRPC door.
   *
   * @param port without the server's offset
   */
  public record Grpc(boolean enabled, int port) {}

  /**
   * Memory-only operation.
   *
   * @param maxBytes the most bytes of all messages, ready or dead
   */
  public record Amnesia(boolean on, int maxBytes) {
    public String dlqProfile() {
      return on ? "ephemeral" : "durable";
    }
  }
}
