package org.svcmailbox.core.settings;

import java.util.Arrays;
import java.util.Optional;

/**
 * All settings with keys, defaults, kinds and ranges: the one list for the loader, the check for
 * unknown keys and the documented table.
 */
public enum Setting {
  WORKERS("workers", "cores", Kind.COUNT, "1", "64", "shard workers; default one per core"),
  READY_SHARDS("ready_shards", "4", Kind.COUNT, "1", "256", "shards of a new topic"),
  SHARD_CAPACITY(
      "shard_capacity", "10000", Kind.COUNT, "1", "1000000", "commands waiting for one shard"),
  GLOBAL_INFLIGHT(
      "global_inflight", "20000", Kind.COUNT, "1", "1000000", "messages under a lease at once"),
  GLOBAL_INFLIGHT_BYTES(
      "global_inflight_bytes",
      "268435456",
      Kind.COUNT,
      "1048576",
      "2000000000",
      "payload bytes under a lease at once"),
  DEDUP_CAPACITY(
      "dedup_capacity", "3200000", Kind.COUNT, "1", "100000000", "idempotency keys kept at once"),
  DISK_RESERVE(
      "disk_reserve",
      "auto",
      Kind.COUNT,
      "33554432",
      "2000000000",
      "bytes of the data disk that SENDs leave free"),
  PROJECTION_ENTRIES(
      "projection.entries",
      "4096",
      Kind.COUNT,
      "128",
      "65536",
      "batches of SENDs that the database may be behind, roughly"),
  PROJECTION_BYTES(
      "projection.bytes",
      "4194304",
      Kind.COUNT,
      "1048576",
      "67108864",
      "bytes of keys and ledger entries that the database may be behind"),
  MAX_FRAME(
      "max_frame", "1048576", Kind.COUNT, "1", "1048576", "payload bytes of a message or a batch"),
  MAX_BATCH("max_batch", "100", Kind.COUNT, "1", "100", "elements of a batch"),
  MAX_ATTRS("max_attrs", "32", Kind.COUNT, "0", "32", "attributes of a message"),
  MAX_ATTR_VALUE(
      "max_attr_value", "1024", Kind.COUNT, "1", "1024", "characters of an attribute's value"),
  STREAM_CHUNK(
      "stream_chunk", "65536", Kind.COUNT, "1024", "65536", "bytes of one piece of a payload"),
  MAX_CONNS("max_conns", "4096", Kind.COUNT, "1", "8192", "connections that are served at once"),
  MAX_CONNS_PER_ADDRESS(
      "max_conns_per_address",
      "1024",
      Kind.COUNT,
      "1",
      "8192",
      "connections of one address that are served at once"),
  MAX_WAITING("max_waiting", "10000", Kind.COUNT, "1", "1000000", "long polls waiting at once"),
  STREAMS("streams", "1024", Kind.COUNT, "1", "100000", "streams of messages open at once"),
  FAIR_SHARE(
      "fair_share",
      "75",
      Kind.COUNT,
      "1",
      "100",
      "percent of a shared bound that one topic or capability can have alone"),
  MAX_ATTEMPTS("max_attempts", "5", Kind.COUNT, "1", "1000", "deliveries before quarantine"),
  VISIBILITY_MIN("visibility_min", "250ms", Kind.DURATION, "250ms", "12h", "shortest lease"),
  DEFAULT_VISIBILITY(
      "default_visibility", "5s", Kind.DURATION, "250ms", "12h", "lease when RECV does not say"),
  VISIBILITY_MAX("visibility_max", "12h", Kind.DURATION, "250ms", "12h", "longest lease"),
  T_REPLAY("t_replay", "300s", Kind.DURATION, "1s", "7d", "how long a key stays taken"),
  BACKOFF_BASE("backoff_base", "200ms", Kind.DURATION, "1ms", "1h", "base of the NACK backoff"),
  BACKOFF_MAX("backoff_max", "60s", Kind.DURATION, "1ms", "12h", "ceiling of the NACK backoff"),
  RETENTION_READY(
      "retention.ready", "7d", Kind.DURATION, "1s", "365d", "how long a message may wait"),
  RETENTION_DLQ("retention.dlq", "14d", Kind.DURATION, "1s", "365d", "how long dead letters stay"),
  RETENTION_READY_COUNT(
      "retention.ready_count",
      "10000000",
      Kind.COUNT,
      "1",
      "1000000000",
      "messages a topic holds, waiting or under a lease"),
  RETENTION_INFLIGHT_COUNT(
      "retention.inflight_count",
      "20000",
      Kind.COUNT,
      "1",
      "1000000",
      "messages of one topic under a lease at once"),
  RETENTION_DLQ_COUNT(
      "retention.dlq_count",
      "1000000",
      Kind.COUNT,
      "1",
      "100000000",
      "dead letters of a topic; the oldest go"),
  DLQ_MAX_JOBS("dlq.max_jobs", "4", Kind.COUNT, "1", "100", "jobs over dead letters that run"),
  DLQ_RATE(
      "dlq.rate", "500", Kind.COUNT, "1", "10000", "letters a second of a job that does not say"),
  RETENTION_LEDGER(
      "retention.ledger", "90d", Kind.DURATION, "1m", "3650d", "how long ledger entries stay"),
  RETENTION_LEDGER_BYTES(
      "retention.ledger_bytes",
      "8589934592",
      Kind.COUNT,
      "16777216",
      "1099511627776",
      "bytes of all ledgers in the database; the oldest entries go"),
  RETENTION_AUDIT(
      "retention.audit", "365d", Kind.DURATION, "1d", "3650d", "how long audit entries stay"),
  READ_TIMEOUT(
      "read_timeout", "5s", Kind.DURATION, "100ms", "60s", "how long a body may keep us waiting"),
  WRITE_TIMEOUT(
      "write_timeout", "5s", Kind.DURATION, "100ms", "30s", "how long a client may not read"),
  IDLE_TIMEOUT(
      "idle_timeout", "60s", Kind.DURATION, "1s", "10m", "how long a connection may be unused"),
  DRAIN_DEADLINE("drain_deadline", "5s", Kind.DURATION, "1s", "5s", "longest wait at shutdown"),
  TOPICS_AUTO_CREATE(
      "topics.auto_create", "true", Kind.FLAG, "", "", "whether SEND and RECV make topics"),
  TOPICS_MAX("topics.max", "10000", Kind.COUNT, "1", "100000", "the most topics"),
  METRICS_TOPICS(
      "metrics.topics", "100", Kind.COUNT, "0", "1000", "topics that metrics tell by their names"),
  METRICS_FROM(
      "metrics.from",
      "any",
      Kind.ADDRESSES,
      "any, or address ranges such as 10.0.0.0/8, several with commas",
      "",
      "clients that may read metrics without a capability"),
  CAP_CACHE_TTL(
      "cap_cache_ttl", "30s", Kind.DURATION, "5s", "120s", "how long a verification is believed"),
  CAP_OUTAGE_TTL(
      "cap_outage_ttl",
      "1h",
      Kind.DURATION,
      "5s",
      "7d",
      "how long a verification is believed while the database is away"),
  ROOT_KEYS(
      "capability.root_keys",
      "none",
      Kind.KEYS,
      "id=base64 of 32 to 64 bytes, several with commas",
      "",
      "root keys of capabilities, the one to mint with first"),
  MAX_REVOKED(
      "capability.max_revoked",
      "100000",
      Kind.COUNT,
      "1",
      "1000000",
      "single capabilities that are kept as revoked"),
  MAX_MINTED(
      "capability.max_minted",
      "100000",
      Kind.COUNT,
      "1",
      "10000000",
      "capabilities that were minted and have not expired"),
  RATE_ADDRESS(
      "rate.address", "0", Kind.COUNT, "0", "1000000", "calls a second from one address; 0: any"),
  RATE_TOPIC(
      "rate.topic", "0", Kind.COUNT, "0", "1000000", "SENDs and RECVs a second on one topic"),
  RATE_BUCKETS(
      "rate.buckets", "100000", Kind.COUNT, "1", "1000000", "rates that are counted at once"),
  TRUSTED_PROXIES(
      "trusted_proxies",
      "none",
      Kind.ADDRESSES,
      "address ranges such as 10.0.0.0/8, several with commas",
      "",
      "whose X-Forwarded-For is believed"),
  EVENTS_MAX_STREAMS(
      "events.max_streams", "100", Kind.COUNT, "1", "10000", "streams of events at once"),
  CONSOLE_MAX_SESSIONS(
      "console.max_sessions", "200", Kind.COUNT, "1", "10000", "people signed in at once"),
  CONSOLE_SESSION_IDLE(
      "console.session_idle",
      "30m",
      Kind.DURATION,
      "1s",
      "12h",
      "after so long without use one is signed out"),
  CONSOLE_SESSION_MAX(
      "console.session_max", "12h", Kind.DURATION, "1s", "7d", "how long a sign-in lasts at most"),
  CONSOLE_CAPABILITY_LIFE(
      "console.capability_life",
      "10m",
      Kind.DURATION,
      "1s",
      "1h",
      "how long a capability of the console lasts"),
  CONSOLE_URL(
      "console.url",
      "none",
      Kind.TEXT,
      "such as https://mailbox.example.com",
      "",
      "how browsers reach the server"),
  OIDC_PROVIDER(
      "console.oidc.provider",
      "none",
      Kind.TEXT,
      "the URL of an OpenID Connect issuer",
      "",
      "who signs people in, in place of the server's users"),
  OIDC_CLIENT_ID(
      "console.oidc.client_id", "none", Kind.TEXT, "text", "", "what the provider calls us"),
  OIDC_CLIENT_SECRET(
      "console.oidc.client_secret", "none", Kind.SECRET, "text", "", "how the provider knows us"),
  OIDC_SCOPE(
      "console.oidc.scope",
      "openid profile",
      Kind.TEXT,
      "scopes with blanks between them",
      "",
      "what the provider is asked for"),
  OIDC_USER_CLAIM(
      "console.oidc.user_claim",
      "preferred_username",
      Kind.TEXT,
      "the name of a claim",
      "",
      "where the provider says who somebody is"),
  OIDC_ROLE_CLAIM(
      "console.oidc.role_claim",
      "groups",
      Kind.TEXT,
      "the name of a claim, inner ones after a dot",
      "",
      "where the provider says what somebody may do"),
  OIDC_VIEWER(
      "console.oidc.viewer",
      "viewer",
      Kind.TEXT,
      "a value of that claim",
      "",
      "what makes somebody a viewer"),
  OIDC_OPERATOR(
      "console.oidc.operator",
      "operator",
      Kind.TEXT,
      "a value of that claim",
      "",
      "what makes somebody an operator"),
  STORE_JOIN(
      "store.join",
      "none",
      Kind.TEXT,
      "what a refused start says",
      "",
      "joins a database and a broker that are no pair, once"),
  ACCEPT(
      "accept",
      "none",
      Kind.TEXT,
      "what a refused start says, several with commas",
      "",
      "accepts once what was lost between a database and a broker that are not from the same"
          + " moment"),
  AMNESIA("amnesia", "false", Kind.FLAG, "", "", "whether everything is in memory only"),
  AMNESIA_MAX_BYTES(
      "amnesia_max_bytes",
      "268435456",
      Kind.COUNT,
      "1048576",
      "1073741824",
      "memory of all messages, in amnesia"),
  BROKER_URL(
      "broker.url",
      "none",
      Kind.TEXT,
      "tcp://host:port or (tcp://host:port,tcp://host:port), then ?option=value&option=value",
      "",
      "the broker in another process"),
  BROKER_USER("broker.user", "none", Kind.TEXT, "text", "", "the service's user of that broker"),
  BROKER_PASSWORD("broker.password", "none", Kind.SECRET, "text", "", "that user's password"),
  BROKER_PASSWORD_FILE(
      "broker.password_file",
      "none",
      Kind.TEXT,
      "a file with nothing else in it",
      "",
      "that user's password"),
  BROKER_TRUST_STORE(
      "broker.trust_store",
      "none",
      Kind.TEXT,
      "a .p12 or .pem file",
      "",
      "certificates that the broker's is checked against"),
  BROKER_TRUST_STORE_PASSWORD(
      "broker.trust_store_password", "none", Kind.SECRET, "text", "", "that file's password"),
  BROKER_KEY_STORE(
      "broker.key_store",
      "none",
      Kind.TEXT,
      "a .p12 or .pem file",
      "",
      "the service's certificate and key"),
  BROKER_KEY_STORE_PASSWORD(
      "broker.key_store_password", "none", Kind.SECRET, "text", "", "that file's password"),
  BROKER_KEY_STORE_PASSWORD_FILE(
      "broker.key_store_password_file",
      "none",
      Kind.TEXT,
      "a file with nothing else in it",
      "",
      "that file's password"),
  GRPC_ENABLED("grpc.enabled", "false", Kind.FLAG, "", "", "whether the gRPC door is open"),
  GRPC_PORT(
      "grpc.port",
      "9555",
      Kind.COUNT,
      "1",
      "65535",
      "port of the gRPC door, to which MAILBOX_PORT_OFFSET is added"),
  RENDEZVOUS_ENABLED(
      "rendezvous.enabled", "false", Kind.FLAG, "", "", "whether the rendezvous door is open"),
  RENDEZVOUS_LISTEN_ADDR(
      "rendezvous.listen_addr",
      "127.0.0.1:8090",
      Kind.TEXT,
      "address:port, such as 0.0.0.0:8090 or [::]:8090",
      "",
      "where the rendezvous door listens"),
  RENDEZVOUS_AUTH_MODE(
      "rendezvous.auth_mode",
      "server_wide",
      Kind.TEXT,
      "disabled, server_wide or per_mailbox",
      "",
      "which tokens the rendezvous door asks for"),
  RENDEZVOUS_AUTH_TOKENS(
      "rendezvous.auth_tokens",
      "none",
      Kind.SECRET,
      "token or recipient=token, several with commas",
      "",
      "tokens of the rendezvous door besides those in the database"),
  RENDEZVOUS_MAX_MESSAGE_SIZE(
      "rendezvous.max_message_size",
      "65536",
      Kind.COUNT,
      "1",
      "1048576",
      "bytes of a rendezvous message"),
  RENDEZVOUS_MAX_QUEUE_LENGTH(
      "rendezvous.max_queue_length",
      "100",
      Kind.COUNT,
      "1",
      "100000",
      "messages of a rendezvous mailbox"),
  RENDEZVOUS_MESSAGE_TTL(
      "rendezvous.message_ttl",
      "5m",
      Kind.DURATION,
      "100ms",
      "24h",
      "how long a rendezvous message stays"),
  RENDEZVOUS_IDLE_MAILBOX_TTL(
      "rendezvous.idle_mailbox_ttl",
      "1h",
      Kind.DURATION,
      "100ms",
      "7d",
      "how long an unused rendezvous mailbox stays"),
  RENDEZVOUS_MAX_MAILBOXES(
      "rendezvous.max_mailboxes",
      "10000",
      Kind.COUNT,
      "1",
      "1000000",
      "rendezvous mailboxes at once"),
  RENDEZVOUS_MAX_BYTES(
      "rendezvous.max_bytes",
      "134217728",
      Kind.COUNT,
      "2097152",
      "2000000000",
      "memory of all rendezvous messages"),
  RENDEZVOUS_MAX_WAITING(
      "rendezvous.max_waiting",
      "10000",
      Kind.COUNT,
      "1",
      "100000",
      "rendezvous GETs that wait at once"),
  RENDEZVOUS_MAX_WAITING_PER_MAILBOX(
      "rendezvous.max_waiting_per_mailbox",
      "16",
      Kind.COUNT,
      "1",
      "1000",
      "of those, on one mailbox"),
  RENDEZVOUS_MAX_WAITING_PER_ADDRESS(
      "rendezvous.max_waiting_per_address",
      "64",
      Kind.COUNT,
      "1",
      "100000",
      "of those, from one address"),
  RENDEZVOUS_MAX_CONNECTIONS(
      "rendezvous.max_connections",
      "12000",
      Kind.COUNT,
      "1",
      "100000",
      "connections to the rendezvous door"),
  RENDEZVOUS_POSTS_PER_MINUTE(
      "rendezvous.posts_per_minute",
      "60",
      Kind.COUNT,
      "0",
      "1000000",
      "rendezvous POSTs a minute from one address; 0: any"),
  RENDEZVOUS_GETS_PER_MINUTE(
      "rendezvous.gets_per_minute",
      "120",
      Kind.COUNT,
      "0",
      "1000000",
      "rendezvous GETs a minute from one address; 0: any"),
  RENDEZVOUS_WINDOW_SECONDS(
      "rendezvous.window_seconds",
      "60",
      Kind.COUNT,
      "1",
      "3600",
      "a burst is the rate of this many seconds"),
  RENDEZVOUS_IPV6_PREFIX(
      "rendezvous.ipv6_prefix",
      "64",
      Kind.COUNT,
      "1",
      "128",
      "bits of an IPv6 address that name one client"),
  RENDEZVOUS_ALLOW(
      "rendezvous.allow",
      "none",
      Kind.ADDRESSES,
      "address ranges such as 10.0.0.0/8, several with commas",
      "",
      "clients without rates, waiter limits and shares"),
  RENDEZVOUS_BLOCK(
      "rendezvous.block",
      "none",
      Kind.ADDRESSES,
      "address ranges such as 10.0.0.0/8, several with commas",
      "",
      "clients that the rendezvous door refuses"),
  RENDEZVOUS_ORIGINS(
      "rendezvous.origins",
      "none",
      Kind.TEXT,
      "* or origins such as https://app.example, several with commas",
      "",
      "web pages that may call the rendezvous door"),
  RENDEZVOUS_FORWARDED_HEADER(
      "rendezvous.forwarded_header",
      "X-Forwarded-For",
      Kind.TEXT,
      "X-Forwarded-For or Forwarded",
      "",
      "where trusted proxies name the client"),
  RENDEZVOUS_METRICS_FROM(
      "rendezvous.metrics_from",
      "127.0.0.0/8,::1/128",
      Kind.ADDRESSES,
      "address ranges such as 10.0.0.0/8, several with commas",
      "",
      "clients that may read the rendezvous door's metrics"),
  RENDEZVOUS_EVICTION_INTERVAL(
      "rendezvous.eviction_interval",
      "10s",
      Kind.DURATION,
      "100ms",
      "1h",
      "how often expired rendezvous messages are evicted"),
  RENDEZVOUS_SHUTDOWN_TIMEOUT(
      "rendezvous.graceful_shutdown_timeout",
      "5s",
      Kind.DURATION,
      "100ms",
      "30s",
      "how long the rendezvous door may take to close"),
  RENDEZVOUS_CERT_PATH(
      "rendezvous.tls.cert_path",
      "none",
      Kind.TEXT,
      "a PEM file",
      "",
      "certificate chain of the rendezvous door"),
  RENDEZVOUS_KEY_PATH(
      "rendezvous.tls.key_path",
      "none",
      Kind.TEXT,
      "a PEM file, PKCS#8",
      "",
      "private key of that certificate"),
  RENDEZVOUS_MIN_VERSION(
      "rendezvous.tls.min_version",
      "1.2",
      Kind.TEXT,
      "1.2 or 1.3",
      "",
      "oldest TLS of the rendezvous door");

  public static final String PREFIX = "mailbox.";

  public enum Kind {
    COUNT,
    /** {@code 250ms}, {@code 5s}, {@code 7d} or ISO-8601. */
    DURATION,
    FLAG,
    /** {@code id=secret,id=secret}, or {@code none}; never shown. */
    KEYS,
    /** {@code 10.0.0.0/8,2001:db8::/32}, or {@code none}. */
    ADDRESSES,
    TEXT,
    /** Never shown. */
    SECRET
  }

  private final String name;
  private final String byDefault;
  private final Kind kind;
  private final String least;
  private final String most;
  private final String meaning;

  Setting(String name, String byDefault, Kind kind, String least, String most, String meaning) {
    this.name = name;
    this.byDefault = byDefault;
    this.kind = kind;
    this.least = least;
    this.most = most;
    this.meaning = meaning;
  }

  public String key() {
    return PREFIX + name;
  }

  public String byDefault() {
    return byDefault;
  }

  public Kind kind() {
    return kind;
  }

  public String bounds() {
    return switch (kind) {
      case COUNT, DURATION -> least + " to " + most;
      case FLAG -> "true or false";
      case KEYS, ADDRESSES, TEXT, SECRET -> least;
    };
  }

  /** The least value, or the form of a value without order. */
  public String least() {
    return least;
  }

  /** Empty for values without order. */
  public String most() {
    return most;
  }

  public String meaning() {
    return meaning;
  }

  public static Optional<Setting> ofKey(String key) {
    return Arrays.stream(values()).filter(setting -> setting.key().equals(key)).findFirst();
  }
}
