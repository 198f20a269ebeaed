package org.svcmailbox.ejb.admin;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.activemq.artemis.api.core.JsonUtil;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.management.ResourceNames;

/** Attributes and settings of the broker, read through its management. */
public final class ManagementAttributes {
  private static final String ATTRIBUTE_LIMIT = "managementMessageAttributeSizeLimit";

  private final BrokerAdmin broker;

  ManagementAttributes(BrokerAdmin broker) {
    this.broker = broker;
  }

  /** Whether management returns long properties of an address's messages whole, and not cut off. */
  public boolean tellsWholeAttributes(String address) {
    return JsonUtil.readJsonObject(addressSettings(address)).getInt(ATTRIBUTE_LIMIT, 0) == -1;
  }

  /** A numeric attribute of a queue; 0 if the broker has no value. */
  public long number(SimpleString queue, String attribute) {
    return number(ResourceNames.QUEUE + queue, attribute);
  }

  /** A numeric attribute of a managed resource; 0 if the broker has no value. */
  public long number(String resource, String attribute) {
    return broker.ask(
        "ask for " + attribute + " of " + resource,
        session -> {
          Object value = broker.attribute(resource, attribute);
          return value instanceof Number number ? number.longValue() : 0L;
        });
  }

  /** How much of the broker's disk is in use, in percent. */
  public double diskUsage() {
    return broker.ask(
        "ask how full its disk is",
        session ->
            broker.attribute(ResourceNames.BROKER, "DiskStoreUsage") instanceof Number part
                ? 100 * part.doubleValue()
                : 0.0);
  }

  /** Whether a boolean attribute of the broker is true. */
  public boolean isOn(String attribute) {
    return broker.ask(
        "ask whether the broker is " + attribute,
        session -> Boolean.TRUE.equals(broker.attribute(ResourceNames.BROKER, attribute)));
  }

  /** An attribute of a managed resource as text; empty if the broker has no value. */
  public String text(String resource, String attribute) {
    return broker.ask(
        "ask for " + attribute + " of " + resource,
        session ->
            Objects.requireNonNullElse(broker.attribute(resource, attribute), "").toString());
  }

  /** A list attribute of a managed resource; empty if the broker has no value. */
  public List<String> texts(String resource, String attribute) {
    return broker.ask(
        "ask for " + attribute + " of " + resource,
        session ->
            broker.attribute(resource, attribute) instanceof Object[] texts
                ? Arrays.stream(texts).map(Object::toString).toList()
                : List.of());
  }

  /** The settings that apply to an address, as the broker's own JSON. */
  public String addressSettings(String address) {
    return broker.ask(
        "read the settings of " + address,
        session ->
            String.valueOf(
                broker.manage(ResourceNames.BROKER, "getAddressSettingsAsJSON", address)));
  }
}
