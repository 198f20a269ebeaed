package org.svcmailbox.core.settings;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.svcmailbox.core.envelope.MsgId;

/** The settings of a node of a cluster. */
public final class ClusterSetting {
  static final SettingGroup GROUP = new SettingGroup();

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final String NAME_BOUNDS =
      "1 to 64 of A-Z, a-z, 0-9, dot, underline and hyphen, the first a letter or digit";

  public static final Setting<Optional<String>> NODE =
      GROUP.form("cluster.node", NAME_BOUNDS, ClusterSetting::name).orNone();

  public static final Setting<Optional<URI>> URL =
      GROUP.url("cluster.url", "such as http://10.0.0.1:8080").orNone();

  /**
   * Two groups for each of two nodes. Each group costs a step an entry, so a few more groups than
   * nodes are best (docs/adr/0149).
   */
  public static final Setting<Integer> GROUPS =
      GROUP.count("cluster.groups").from(1).to(MsgId.SLOTS).byDefault(4);

  public static final Setting<Duration> LEAVE_DEADLINE =
      GROUP.duration("cluster.leave_deadline").from("2s").to("60s").byDefault("20s");

  public static final Setting<Duration> PATIENCE =
      GROUP.duration("cluster.patience").from("100ms").to("10s").byDefault("3s");

  public static final Setting<Optional<Path>> TRUST_STORE =
      GROUP.path("cluster.trust_store", "a .pem file").orNone();

  private ClusterSetting() {}

  private static String name(String text) {
    if (!NAME.matcher(text).matches()) {
      throw new RefusedValueException("must be " + NAME_BOUNDS);
    }
    return text;
  }
}
