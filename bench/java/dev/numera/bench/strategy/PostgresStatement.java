package dev.numera.bench.strategy;

import dev.numera.bench.harness.Window;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Allocates each number with one PostgreSQL statement in its own transaction. All processes of the largest load stay
 * below the 100 connections that the server accepts; one process has at most {@value #MAX_CONNECTIONS}.
 */
final class PostgresStatement implements Strategy {
    private static final int MAX_CONNECTIONS = 64;
    private static final int CONNECTIONS_BESIDE_OTHERS = 16;

    private final String url;
    private final List<String> setUp;
    private final String statement;
    private final String keyPrefix;
    private final Traffic traffic;
    private final int maxConnections;
    private final AtomicLong keys = new AtomicLong();
    private final AtomicInteger opened = new AtomicInteger();
    private final BlockingQueue<PreparedStatement> idle = new ArrayBlockingQueue<>(MAX_CONNECTIONS);

    /**
     * @param statement returns one row with the number; its parameter, if it has one, is a key
     * @param process the index of this process; process 0 may open more connections, because most loads have only one
     *     process
     */
    PostgresStatement(Connections connections, List<String> setUp, String statement, int process) {
        this.url = connections.addresses().postgresUrl();
        this.setUp = setUp;
        this.statement = statement;
        this.keyPrefix = "order-" + process + "-";
        this.traffic = connections.traffic();
        this.maxConnections = process == 0 ? MAX_CONNECTIONS : CONNECTIONS_BESIDE_OTHERS;
    }

    @Override
    public void prepare(int numbersWanted) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement execute = connection.createStatement()) {
            for (String definition : setUp) {
                execute.execute(definition);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public long next(Window window) throws SQLException, InterruptedException {
        PreparedStatement prepared = borrow();
        try {
            if (statement.contains("?")) {
                prepared.setString(1, keyPrefix + keys.incrementAndGet());
            }
            traffic.other();
            try (ResultSet row = prepared.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        } finally {
            idle.add(prepared);
        }
    }

    @Override
    public void close() {
        idle.forEach(prepared -> {
            try {
                prepared.getConnection().close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private PreparedStatement borrow() throws SQLException, InterruptedException {
        PreparedStatement free = idle.poll();
        if (free != null) {
            return free;
        }
        if (opened.incrementAndGet() <= maxConnections) {
            return DriverManager.getConnection(url).prepareStatement(statement);
        }
        return idle.take();
    }
}
