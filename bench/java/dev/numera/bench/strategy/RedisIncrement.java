package dev.numera.bench.strategy;

import dev.numera.bench.harness.Window;
import java.time.Duration;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisPooled;

/** Allocates numbers with Redis' {@code INCR}. */
final class RedisIncrement implements Strategy {
    private static final int MAX_CONNECTIONS = 64;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final JedisPooled redis;
    private final String sequence;
    private final Traffic traffic;

    RedisIncrement(Connections connections, String sequence) {
        GenericObjectPoolConfig<Connection> pool = new GenericObjectPoolConfig<>();
        pool.setMaxTotal(MAX_CONNECTIONS);
        pool.setMaxIdle(MAX_CONNECTIONS);
        pool.setMaxWait(LONGEST_WAIT);
        this.redis = new JedisPooled(pool, "127.0.0.1", connections.addresses().redisPort());
        this.sequence = sequence;
        this.traffic = connections.traffic();
    }

    @Override
    public long next(Window window) {
        traffic.other();
        return redis.incr(sequence);
    }

    @Override
    public void close() {
        redis.close();
    }
}
