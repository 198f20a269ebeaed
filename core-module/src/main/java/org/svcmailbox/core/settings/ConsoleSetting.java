package org.svcmailbox.core.settings;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** The settings of the console and its users. */
public final class ConsoleSetting {
  static final SettingGroup GROUP = new SettingGroup();

  public static final Setting<Integer> MAX_SESSIONS =
      GROUP.count("console.max_sessions").from(1).to(10_000).byDefault(200);

  public static final Setting<Duration> SESSION_IDLE =
      GROUP.duration("console.session_idle").from("1s").to("12h").byDefault("30m");

  public static final Setting<Duration> SESSION_MAX =
      GROUP.duration("console.session_max").from("1s").to("7d").byDefault("12h");

  public static final Setting<Duration> CAPABILITY_LIFE =
      GROUP.duration("console.capability_life").from("1s").to("1h").byDefault("10m");

  public static final Setting<Duration> CONFIRMED_FOR =
      GROUP.duration("console.confirmed_for").from("1s").to("12h").byDefault("10m");

  public static final Setting<Optional<URI>> URL =
      GROUP.url("console.url", "such as https://mailbox.example.com").orNone();

  public static final Setting<Optional<URI>> OIDC_PROVIDER =
      GROUP.url("console.oidc.provider", "the URL of an OpenID Connect issuer").orNone();

  public static final Setting<Optional<String>> OIDC_CLIENT_ID =
      GROUP.text("console.oidc.client_id", "text").orNone();

  public static final Setting<Optional<String>> OIDC_CLIENT_SECRET =
      GROUP.text("console.oidc.client_secret", "text").orNone();

  public static final Setting<String> OIDC_SCOPE =
      GROUP
          .text("console.oidc.scope", "scopes with blanks between them")
          .byDefault("openid profile");

  public static final Setting<String> OIDC_USER_CLAIM =
      GROUP.text("console.oidc.user_claim", "the name of a claim").byDefault("preferred_username");

  public static final Setting<String> OIDC_ROLE_CLAIM =
      GROUP
          .text("console.oidc.role_claim", "the name of a claim, inner ones after a dot")
          .byDefault("groups");

  public static final Setting<String> OIDC_VIEWER =
      GROUP.text("console.oidc.viewer", "a value of that claim").byDefault("viewer");

  public static final Setting<String> OIDC_OPERATOR =
      GROUP.text("console.oidc.operator", "a value of that claim").byDefault("operator");

  public static final Setting<String> OIDC_ADMINISTRATOR =
      GROUP.text("console.oidc.administrator", "a value of that claim").byDefault("administrator");

  private ConsoleSetting() {}
}
