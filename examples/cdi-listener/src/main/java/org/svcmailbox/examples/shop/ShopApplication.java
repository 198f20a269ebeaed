package org.svcmailbox.examples.shop;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** The shop's resources are at the root of the application. */
@ApplicationPath("/")
public class ShopApplication extends Application {}
