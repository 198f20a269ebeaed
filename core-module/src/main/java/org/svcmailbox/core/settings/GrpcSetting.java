package org.svcmailbox.core.settings;

/** The settings of the gRPC door. */
public final class GrpcSetting {
  static final SettingGroup GROUP = new SettingGroup();

  public static final Setting<Boolean> ENABLED = GROUP.flag("grpc.enabled").byDefault(false);

  public static final Setting<Integer> PORT =
      GROUP.count("grpc.port").from(1).to(65_535).byDefault(9_555);

  private GrpcSetting() {}
}
